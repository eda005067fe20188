import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openCredential } from '../../../src/lib/auth/credential.ts'
import { secretsOf } from '../../../src/lib/base/secret.ts'
import { createCredentialPlan } from '../../../src/lib/index.ts'
import { scopeFor } from '../../../src/lib/profile/endpoints.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const directory = useTemporaryDirectory()
const scope = (service: 'arm' | 'storage' | 'keyVault') => scopeFor(running.cloud.profile.serviceAudiences[service])

/** Modes whose secret is in a file, and the code of a wrong secret. */
const modes = [
  ['clientSecret', 'PLATFORM_CLIENT_SECRET', 'CLIENT_SECRET_INVALID'],
  ['usernamePassword', 'PLATFORM_PASSWORD', 'USER_REJECTED'],
  ['clientCertificate', 'PLATFORM_CLIENT_CERTIFICATE_PASSWORD', 'CERTIFICATE_PASSWORD_WRONG'],
] as const

describe.each(modes)('%s: %s in a file', (mode, variable, wrong) => {
  /** The environment with the secret, and the secret. */
  const withSecret = (): [Record<string, string>, string] => {
    const { cloud: enclave, files } = running
    const env: Record<string, string> = { ...enclave.environment(mode, files) }
    if (mode !== 'clientCertificate') return [env, env[variable] ?? '']
    const pem = readFileSync(env['PLATFORM_CLIENT_CERTIFICATE_PATH'] ?? '', 'utf8')
    const passphrase = 'password of the key'
    const key = createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
    const encrypted = pem.replace(/-----BEGIN PRIVATE KEY[^]*$/, String(key))
    return [{ ...env, PLATFORM_CLIENT_CERTIFICATE_PATH: directory.write('client.pem', encrypted) }, passphrase]
  }

  test('gets a token, and a changed file applies to the next token without a new credential', async () => {
    const [{ [variable]: _, ...env }, secret] = withSecret()
    // A byte order mark, as Notepad writes it, and a line break, as `echo` writes it.
    const path = directory.write(`${mode}.secret`, `\uFEFF${secret}\n`)
    const plan = createCredentialPlan(running.cloud.profile, { ...env, [`${variable}_PATH`]: path })
    const credential = openCredential(plan)
    expect(await credential.getToken(scope('arm'))).toMatchObject({ token: expect.any(String) as string })
    expect(secretsOf(plan)).toContain(secret)

    directory.write(`${mode}.secret`, 'another')
    await expect(credential.getToken(scope('storage'))).rejects.toMatchObject({ code: wrong })
    directory.write(`${mode}.secret`, secret)
    expect(await credential.getToken(scope('storage'))).toMatchObject({ token: expect.any(String) as string })
  })
})
