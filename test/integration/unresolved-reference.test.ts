import { describe, expect, test } from 'vitest'
import { runInProcess } from '../cli/run-in-process.ts'
import { diagnose, useEnclaveService } from '../support/serve-enclave.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const open = useEnclaveService()
const temp = useTemporaryDirectory()
const reference = '@Microsoft.KeyVault(SecretUri=https://vault.enclave.test/secrets/planted-name)'

describe('A secret that the platform left as a reference to a key vault', () => {
  test('fails the start by name with what to grant, and no host is contacted', async () => {
    const { enclave, serve } = await open()
    const failure = await serve('clientSecret', { PLATFORM_CLIENT_SECRET: reference }).catch((error: unknown) =>
      String(error),
    )
    expect(failure).toContain('PLATFORM_CLIENT_SECRET is a reference of Azure Key Vault that was not replaced')
    expect(failure).toContain('Key Vault Secrets User')
    expect(failure).not.toContain('planted-name')
    expect(enclave.requests).toEqual([])
  })

  test('that a secret file holds later fails the token, and no host gets it', async () => {
    const { enclave, serve } = await open()
    const path = temp.write('secret', enclave.clientSecret)
    const service = await serve('clientSecret', { PLATFORM_CLIENT_SECRET: '', PLATFORM_CLIENT_SECRET_PATH: path })
    temp.write('secret', reference)
    const { rootCause, token } = await diagnose(service)
    expect(token.status).toBe('failed')
    expect(rootCause?.code).toBe('REFERENCE_UNRESOLVED')
    expect(rootCause?.message).toContain('The value in the file of PLATFORM_CLIENT_SECRET_PATH is a reference')
    expect(enclave.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })
})

describe('A command', () => {
  const env = { AUTH_MODE: 'clientSecret', PLATFORM_CLIENT_SECRET: reference }
  const problem = 'PLATFORM_CLIENT_SECRET is a reference of Azure Key Vault'

  test('settings names it, exits 2, and shows no value', async () => {
    const { code, stdout, stderr } = await runInProcess(['settings', '--format', 'json'], { env })
    expect(code).toBe(2)
    expect(stderr).toContain(problem)
    expect(stderr.split(problem)).toHaveLength(2)
    expect(stdout + stderr).not.toContain('planted-name')
  })

  test('check names it with its code and field', async () => {
    const path = temp.write('profile.json', { name: 'x', authorityHost: '${AUTHORITY_HOST}' })
    const { code, stdout } = await runInProcess(['check', '--format', 'json', path], { env: {} })
    expect(code).toBe(1)
    const { files } = JSON.parse(stdout) as { files: { findings: object[] }[] }
    expect(files[0]?.findings).toContainEqual({
      level: 'error',
      code: 'REFERENCE_UNRESOLVED',
      field: 'authorityHost',
      message: expect.stringContaining('is a reference of a shell, Compose or envsubst') as string,
    })
  })
})
