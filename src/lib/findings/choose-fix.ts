import { printable } from '../base/printable.ts'
type Evidence = Readonly<Record<string, string>>
import type { Finding } from './finding.ts'

/** Evidence in the words of this service, which may be a phrase. */
const ownWords: ReadonlySet<string> = new Set([
  'accountSetting',
  'addressSetting',
  'missing',
  'network',
  'problem',
  'role',
  'rule',
  'servers',
  'setting',
  'variable',
  'weakness',
  'workedUntil',
])

/** An identifier, a host, a date, or a URL without spaces: nothing that reads as an instruction. */
const identifier = /^[^\s\p{C}"'`<>|;&$(){}\\]{1,200}$/u
const quoted = /^"[\w.:/-]{1,120}"$/

/** At most 64 characters (X.520). */
const commonName = /^"[\p{L}\p{N} .,'&()_-]{1,64}"$/u

/** Other shapes of single fields. */
const shapes: Readonly<Record<string, RegExp>> = {
  expiredIssuer: commonName,
  issuer: commonName,
  selfSigned: commonName,
  weakCertificate: commonName,
  names: /^[\w.*:-]{1,200}(, [\w.*:-]{1,200}){0,2}( and \d+ more)?$/,
  tokenAudience: quoted,
  tokenTenant: quoted,
}

/**
 * The first fix whose values are all known, with these values; else the general fix. A remote value becomes a part of a fix only if it has
 * the shape of its field, so that no remote text can instruct the reader.
 */
export function chooseFix({ fix, fixes = [] }: Finding, known: Evidence): string {
  for (const each of fixes) {
    const names = [...each.fix.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const needed = each.when === undefined ? names : [...names, each.when]
    if (!needed.every((name) => Object.hasOwn(known, name) && hasShape(name, known[name] ?? ''))) continue
    return each.fix.replaceAll(/\{(\w+)\}/g, (_match, name: string) => printable(known[name] ?? ''))
  }
  return fix
}

function hasShape(name: string, value: string): boolean {
  if (ownWords.has(name)) return true
  return identifier.test(value) || (Object.hasOwn(shapes, name) && shapes[name]?.test(value) === true)
}
