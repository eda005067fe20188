import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHttpHeaders, type PipelineResponse } from '@azure/core-rest-pipeline'
import { describe, expect, test } from 'vitest'
import type { ErrorCode, NetworkFault, NetworkRole } from '../../../src/lib/errors.ts'
import { findings } from '../../../src/lib/findings/catalog.ts'
import { warningFindings } from '../../../src/lib/findings/warning-findings.ts'
import { createCredential, createCredentialPlan, resolveCloudProfile } from '../../../src/lib/index.ts'
import { toTokenError } from '../../../src/lib/auth/library/credential-library.ts'
import { modes } from '../../../src/lib/auth/credential-plan.ts'
import { Attempt } from '../../../src/lib/transport/attempt.ts'
import { findUnknownVariables } from '../../../src/lib/variables.ts'
import { createEgressPolicy, roleOf } from '../../../src/lib/transport/egress.ts'
import { checkResponse } from '../../../src/lib/transport/check-response.ts'
import { readOAuthError } from '../../../src/lib/transport/oauth-error.ts'
import { NetworkError } from '../../../src/lib/transport/network-error.ts'
import { errorOf } from '../../support/error-of.ts'
import { repository } from '../../support/project-copy.ts'

const roles = ['AUTHORITY', 'RESOURCE_MANAGER', 'METADATA', 'IDENTITY_ENDPOINT', 'SERVICE'] as const
const faults = Object.keys(findings)
  .filter((code) => code.startsWith('METADATA_') && code.replace('METADATA_', 'SERVICE_') in findings)
  .map((code) => code.replace('METADATA_', '') as NetworkFault)
const networkCodes = new Set<string>(roles.flatMap((role) => faults.map((fault) => `${role}_${fault}`)))

/** All tests but this one, and the tables that they share. */
function testTexts(): string {
  const directory = join(repository, 'test')
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') || path.endsWith('fault-table.ts'))
    .map((path) => readFileSync(join(directory, path), 'utf8'))
    .join('\n')
}

describe('Every code of the catalog', () => {
  const texts = testTexts()
  const asserts = (code: string) => new RegExp(`'[^'\\n]*\\b${code}\\b`).test(texts)

  test('is asserted by a test', () => {
    const codes = [...Object.keys(findings), ...Object.keys(warningFindings)].filter((code) => !networkCodes.has(code))
    expect(codes.length).toBeGreaterThan(70)
    expect(codes.filter((code) => !asserts(code))).toEqual([])
  })

  test('of the network is asserted for one host at least', () => {
    expect(faults.length).toBe(21)
    expect(faults.filter((fault) => !roles.some((role) => asserts(`${role}_${fault}`)))).toEqual([])
  })

  test.each(roles.flatMap((role) => faults.map((fault) => [role, fault] as const)))(
    'a failure %s %s has the finding of its name',
    (role: NetworkRole, fault: NetworkFault) => {
      const { code } = new NetworkError(role, fault, 'x')
      expect(code).toBe(`${role}_${fault}`)
      expect(findings[code].title.length).toBeGreaterThan(5)
    },
  )
})

describe('Codes of the transport and the settings', () => {
  const authority = 'https://login.test/'
  const egress = createEgressPolicy({ AUTHORITY: [authority] })
  const answer = (status: number, body: object) =>
    ({ status, headers: createHttpHeaders(), bodyAsText: JSON.stringify(body) }) as PipelineResponse
  const inspect = (response: PipelineResponse, step: 'token' | 'device-code' = 'token') =>
    checkResponse(response, { role: 'AUTHORITY', step, url: new URL('t/oauth2/v2.0/token', authority), egress })

  test('a host that the profile does not name is EGRESS_BLOCKED', () => {
    expect(errorOf(() => roleOf(egress, 'https://login.microsoftonline.com/common')).code).toBe('EGRESS_BLOCKED')
  })

  test('a valid response without a token is TOKEN_RESPONSE_INVALID', async () => {
    await expect(inspect(answer(200, { token_type: 'Bearer' }))).rejects.toMatchObject({
      code: 'TOKEN_RESPONSE_INVALID',
    })
  })

  test.each<[number, ErrorCode]>([
    [700027, 'CLIENT_ASSERTION_REJECTED'],
    [50126, 'USER_REJECTED'],
    [7000222, 'CLIENT_SECRET_INVALID'],
  ])('the number %d is %s', (number, code) => {
    const body = { error: 'invalid_client', error_codes: [number] }
    expect(readOAuthError(body, 'login.test')?.code).toBe(code)
  })

  test('a person who has not decided yet is DEVICE_CODE_PENDING', () => {
    expect(readOAuthError({ error: 'authorization_pending' }, 'login.test')?.code).toBe('DEVICE_CODE_PENDING')
  })

  test('a sign-in that starts without its codes is DEVICE_CODE_RESPONSE_INVALID', async () => {
    await expect(inspect(answer(200, { user_code: 'ABCD' }), 'device-code')).rejects.toMatchObject({
      code: 'DEVICE_CODE_RESPONSE_INVALID',
    })
  })

  test('a misspelled variable is UNKNOWN_VARIABLE', () => {
    expect(findUnknownVariables({ PLATFORM_AUTHORITYHOST: 'x' })).toMatchObject([{ code: 'UNKNOWN_VARIABLE' }])
  })

  test('a host that offers nothing to sign in with is CHAIN_EXHAUSTED', async () => {
    const env = { PLATFORM_CLOUD: 'platform-us-government', AUTH_MODE: 'default', PATH: '/nowhere' }
    const plan = createCredentialPlan(resolveCloudProfile({ env }), env)
    if (plan.mode !== 'default') throw new Error('No chain')
    // Only the member that asks nobody beyond this machine.
    const chain = plan.chain.filter(({ mode }) => mode === 'platformCli')
    const credential = await createCredential({ ...plan, chain })
    await expect(credential.getToken('https://management.test/.default')).rejects.toMatchObject({
      code: 'CHAIN_EXHAUSTED',
    })
  })

  test('what the library says of a host without an identity is MANAGED_IDENTITY_UNAVAILABLE', () => {
    const attempt = new Attempt({ timeoutMs: 1000 })
    const { code } = toTokenError(new Error('no identity'), attempt, modes.managedIdentity.failure)
    expect(code).toBe('MANAGED_IDENTITY_UNAVAILABLE')
  })
})
