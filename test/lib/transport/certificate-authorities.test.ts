import { spawnSync } from 'node:child_process'
import { rootCertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  authoritiesAtStart,
  addedAuthorities,
  describeAdded,
} from '../../../src/lib/transport/certificate-authorities.ts'
import { cleanEnvironment } from '../../support/environment.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const module = fileURLToPath(new URL('../../../src/lib/transport/certificate-authorities.ts', import.meta.url))

/** What a command says that had the variables at its start, and the parts of Node that it loaded for it. */
function inCommand(env: NodeJS.ProcessEnv): { readonly added: unknown; readonly loaded: readonly string[] } {
  const script = `const { authoritiesAtStart } = await import(${JSON.stringify(module)})
const added = authoritiesAtStart(process.env)
const loaded = process.moduleLoadList.filter((name) => /^NativeModule (tls|crypto)$/.test(name))
console.log(JSON.stringify({ added, loaded }))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: cleanEnvironment(env),
    encoding: 'utf8',
  })
  return JSON.parse(stdout) as ReturnType<typeof inCommand>
}

describe('A file of certificate authorities', () => {
  const variable = 'NODE_EXTRA_CA_CERTS'
  const [first = '', second = ''] = rootCertificates
  const other = '-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----'

  test.each([
    ['two certificates', `${first}\n${second}`, { status: 'read by Node', certificates: 2 }],
    ['one that is cut off', `${first}\n${second.slice(0, 200)}`, { status: 'read by Node', certificates: 1 }],
    ['another text between the lines', other, { status: 'file without a certificate', certificates: 0 }],
  ])('with %s is counted by a command without TLS and cryptography, as the service counts it', (_, text, expected) => {
    const NODE_EXTRA_CA_CERTS = temp.write('ca.pem', text)
    const added = [{ variable, ...expected }]
    expect(inCommand({ NODE_EXTRA_CA_CERTS })).toEqual({ added, loaded: [] })
    expect(addedAuthorities({ NODE_EXTRA_CA_CERTS })[0]?.certificates).toBe(expected.certificates)
  })

  test.each([authoritiesAtStart, addedAuthorities])('in UTF-16 is named as such', (authorities) => {
    const text = '\uFEFF-----BEGIN CERTIFICATE-----\r\n'
    const NODE_EXTRA_CA_CERTS = temp.write('wide.pem', Buffer.from(text, 'utf16le'))
    const [added] = authorities({ NODE_EXTRA_CA_CERTS })
    expect(added && describeAdded(added)).toMatch(/^NODE_EXTRA_CA_CERTS: file without a certificate \(.*UTF-16.*\)$/)
  })
})
