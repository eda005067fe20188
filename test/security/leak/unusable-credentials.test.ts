import { createPrivateKey } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { planted } from '../egress/answers.ts'
import { modes } from '../egress/subjects.ts'
import { useEchoCloud } from './echo-cloud.ts'
import { privateKeyLines } from './leak-detector.ts'

// Credentials that cannot be used: whoever reads them quotes them easily.
const cloud = useEchoCloud()
afterEach(() => {
  vi.unstubAllEnvs()
})

const variablesOf = (label: string) => modes.find((mode) => mode.label === label)?.variables(cloud().files) ?? {}
const password = 'planted-file-password-Uw48Pd05'

function writeFile(content: string | Uint8Array): string {
  const path = `${cloud().files.certificatePath}.unusable`
  writeFileSync(path, content)
  return path
}

describe('a certificate file', () => {
  const keyOf = (pem: string) => pem.slice(pem.indexOf('-----BEGIN PRIVATE KEY'))
  const encrypt = (pem: string) =>
    createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'another' })
  const contents: readonly (readonly [string, (pem: string) => string | Uint8Array])[] = [
    ['with a key and no certificate', keyOf],
    ['with a certificate and half a key', (pem) => pem.slice(0, -800)],
    ['with a key that is encrypted with another password', (pem) => pem.replace(keyOf(pem), String(encrypt(pem)))],
    ['with a key of which a character is wrong', (pem) => pem.replace(/(PRIVATE KEY-----\n.{30})./, '$1*')],
    ['with a key on one line', (pem) => pem.replace(keyOf(pem), keyOf(pem).replaceAll('\n', ''))],
    ['of bytes', (pem) => Buffer.from(pem.replace(/-----[^-]+-----|\n/g, ''), 'base64')],
  ]

  test.each(contents)('%s is not quoted', async (_, content) => {
    const pem = readFileSync(cloud().files.certificatePath, 'utf8')
    const unusable = content(pem)
    const { token, leaks } = await cloud().observe({
      variables: {
        ...variablesOf('clientCertificate'),
        PLATFORM_CLIENT_CERTIFICATE_PATH: writeFile(unusable),
        PLATFORM_CLIENT_CERTIFICATE_PASSWORD: password,
      },
      secrets: [
        { name: 'certificate password', value: password },
        ...privateKeyLines(pem),
        ...privateKeyLines(String(unusable)),
      ],
    })
    const encrypted = String(unusable).includes('ENCRYPTED')
    expect(token).toBe(encrypted ? 'CERTIFICATE_PASSWORD_WRONG' : 'CREDENTIAL_FILE_UNREADABLE')
    expect(leaks).toEqual([])
  })
})

describe('a federated token file', () => {
  const contents: readonly (readonly [string, string])[] = [
    ['with a text that is no token', 'planted-assertion-that-is-no-token-Ob77Cq21'],
    ['with several lines', `first\n${planted.federatedAssertion}\nlast`],
    ['with JSON', JSON.stringify({ access_token: 'planted-assertion-in-json-Ai36Nm58' })],
  ]

  test.each(contents)('%s is not quoted', async (_, content) => {
    const { leaks } = await cloud().observe({
      variables: { ...variablesOf('workloadIdentity'), PLATFORM_FEDERATED_TOKEN_FILE: writeFile(content) },
      secrets: [{ name: 'federated assertion', value: content }],
    })
    expect(leaks).toEqual([])
  })
})

describe('a proxy with a password', () => {
  test.each([
    ['that does not answer', `http://operator:${password}@127.0.0.1:9`],
    ['whose address cannot be used', `socks5://operator:${password}@127.0.0.1:9`],
    ['with an invalid address', `operator:${password}@127.0.0.1:9`],
  ])('%s does not have it shown', async (_, address) => {
    vi.stubEnv('HTTPS_PROXY', address)
    const { token, leaks } = await cloud().observe({
      variables: {
        ...variablesOf('clientSecret'),
        HTTPS_PROXY: address,
        // What is on this machine is never reached through a proxy.
        PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true',
        PLATFORM_AUTHORITY_HOST: 'https://login.proxied.test/',
      },
      secrets: [{ name: 'proxy password', value: password }],
    })
    expect(token).not.toBe('acquired')
    expect(leaks).toEqual([])
  })
})
