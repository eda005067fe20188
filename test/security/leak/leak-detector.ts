import { readFileSync } from 'node:fs'
import type { Enclave, EnclaveFiles } from 'cloud-profile-enclave/enclave'
import type { Output } from './observe.ts'

/** A text that must not appear anywhere, and what it is called in a failure. */
export interface KnownSecret {
  readonly name: string
  readonly value: string
}

/** Characters of a part that give a secret away. A shorter secret counts as a whole. */
const partLength = 20
/** A shorter form, such as a rest that an encoding leaves, would be found anywhere. */
const shortestWhole = 6
/** Shorter values are searched in all encodings. Longer ones are tokens, whose characters no encoding changes. */
const longestEncoded = 200
/** What parts are made of: without white space, quotes and brackets, which end a part on both sides of the comparison. */
const runs = /[\w~'&+%.#;=/-]+/g

const htmlNames: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The ways in which a value gets into an output without anybody writing it there as it is. */
const encodings: readonly ((value: string) => string)[] = [
  (value) => encodeURIComponent(value),
  (value) => new URLSearchParams({ '': value }).toString().slice(1),
  (value) => JSON.stringify(value).slice(1, -1),
  (value) => value.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`),
  (value) => value.replace(/[&<>"']/g, (sign) => htmlNames[sign] ?? '&#39;'),
  (value) => Buffer.from(value).toString('hex'),
  // Its base64 form depends on what goes before: the three cases, without the ends that a neighbor changes.
  ...[0, 1, 2].map((before) => (value: string) => {
    const text = Buffer.from('_'.repeat(before) + value).toString('base64')
    return text.replace(/=+$/, '').slice(before === 0 ? 0 : 4, -4)
  }),
]

type LeakDetector = ReturnType<typeof createLeakDetector>

/** Finds secrets as they are, in the usual encodings, and each part of 20 characters of a longer one; and any signed token. */
export function createLeakDetector(secrets: Iterable<KnownSecret>) {
  const wholes = new Map<string, string>()
  const parts = new Map<string, string>()
  for (const { name, value } of secrets) {
    const encoded = value.length > longestEncoded ? [] : encodings.map((encode) => encode(value))
    for (const form of new Set([value, ...encoded])) {
      const found = [...partsOf(form)]
      for (const part of found) parts.set(part, name)
      if (found.length === 0 && form.length >= shortestWhole) wholes.set(form, name)
    }
  }
  return {
    /** The names of the secrets of which the text shows the whole or a part, in order, each once. */
    find(text: string): string[] {
      const found = new Set<string>()
      for (const part of partsOf(text)) {
        const name = parts.get(part)
        if (name !== undefined) found.add(name)
      }
      for (const [form, name] of wholes) if (text.includes(form)) found.add(name)
      // Whoever made it: three dotted parts, of which the first two are JSON in base64url.
      if (/eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/.test(text)) found.add('a signed token')
      return [...found].sort()
    },
  }
}

function* partsOf(text: string): Generator<string> {
  for (const [run] of text.matchAll(runs)) {
    for (let at = 0; at + partLength <= run.length; at++) yield run.slice(at, at + partLength)
  }
}

/** The secrets in a certificate file: the full lines between the marks of its private key. */
export function privateKeyLines(pem: string): KnownSecret[] {
  const body = /-----BEGIN (?:\w+ )?PRIVATE KEY-----\n([^-]+)-----END/.exec(pem)?.[1] ?? ''
  const lines = body.split('\n').filter((line) => line.length >= partLength)
  return lines.map((value) => ({ name: 'certificate key', value }))
}

/** The leaks in outputs, each with enough to find the place. Each distinct line is searched once, because most lines repeat. */
export function findLeaks(outputs: readonly (Output & { readonly title: string })[], detector: LeakDetector) {
  const seen = new Set<string>()
  return outputs.flatMap(({ title, where, text }) =>
    text.split('\n').flatMap((line) => {
      if (seen.has(line)) return []
      seen.add(line)
      return detector.find(line).map((name) => ({ title, where, name, line: line.slice(0, 200) }))
    }),
  )
}

/** The secrets of an enclave and its files. `collectWireSecrets` finds what it issues. */
export function enclaveSecrets(enclave: Enclave, files: EnclaveFiles): KnownSecret[] {
  const { clientSecret, password, clientCertificatePem, managedIdentity } = enclave
  return [
    { name: 'client secret', value: clientSecret },
    { name: 'password', value: password },
    { name: 'identity header', value: managedIdentity.appService.header },
    { name: 'federated assertion', value: readFileSync(files.federatedTokenPath, 'utf8') },
    ...privateKeyLines(clientCertificatePem),
  ]
}
