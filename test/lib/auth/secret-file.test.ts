import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openCredential } from '../../../src/lib/auth/credential.ts'
import { secretsOf } from '../../../src/lib/base/secret.ts'
import { createCredentialPlan, resolveAuthMode } from '../../../src/lib/index.ts'
import { scopeFor } from '../../../src/lib/profile/endpoints.ts'
import { errorOf } from '../../support/error-of.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const directory = useTemporaryDirectory()
const scope = (service: 'arm' | 'storage' | 'keyVault') => scopeFor(running.cloud.profile.serviceAudiences[service])

/** The environment of a mode whose secret is in a file; `wrong` is the code of a wrong secret. */
const modes = [
  { mode: 'clientSecret', variable: 'PLATFORM_CLIENT_SECRET', wrong: 'CLIENT_SECRET_INVALID' },
  { mode: 'usernamePassword', variable: 'PLATFORM_PASSWORD', wrong: 'USER_REJECTED' },
  {
    mode: 'clientCertificate',
    variable: 'PLATFORM_CLIENT_CERTIFICATE_PASSWORD',
    wrong: 'CERTIFICATE_PASSWORD_WRONG',
  },
] as const

describe.each(modes)('$variable in a file', ({ mode, variable, wrong }) => {
  /** The environment with the secret, and the secret. */
  const withSecret = (): [Record<string, string>, string] => {
    const { cloud: enclave, files } = running
    const env: Record<string, string> = { ...enclave.environment(mode, files) }
    if (mode !== 'clientCertificate') return [env, env[variable] ?? '']
    const path = env['PLATFORM_CLIENT_CERTIFICATE_PATH'] ?? ''
    const pem = readFileSync(path, 'utf8')
    const passphrase = 'password of the key'
    const key = createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
    const certificate = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----\n/.exec(pem)?.[0] ?? ''
    return [
      { ...env, PLATFORM_CLIENT_CERTIFICATE_PATH: directory.write('client.pem', `${certificate}${key.toString()}`) },
      passphrase,
    ]
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

  test('together with the variable is SETTING_INVALID', () => {
    const { code, message } = errorOf(() => resolveAuthMode({ [variable]: 'x', [`${variable}_PATH`]: '/x' }))
    expect([code, message]).toEqual(['SETTING_INVALID', `${variable} and ${variable}_PATH are both set: keep one`])
  })
})
