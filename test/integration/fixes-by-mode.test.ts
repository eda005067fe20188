import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { enclaveAuthModes } from '../../src/enclave/environment.ts'
import type { EnclaveAuthMode, FaultChoice, FaultTarget } from '../../src/enclave/enclave.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { createService } from '../../src/lib/service/service.ts'
import { settingRows } from '../../src/lib/variables.ts'
import { startForwardProxy } from '../support/forward-proxy.ts'
import { useEnclave } from '../support/use-enclave.ts'

// The command-line tool signs in by itself, and a sign-in by a person has no token to judge before somebody approves it.
const modes = enclaveAuthModes.filter((mode) => mode !== 'platformCli' && mode !== 'default')

const running = useEnclave()

/** The library reads the identity endpoint of the process, and keeps it. */
const identityVariables = ['IDENTITY_ENDPOINT', 'IDENTITY_HEADER'] as const
const before = identityVariables.map((name) => [name, process.env[name]] as const)
beforeAll(() => {
  const settings = running.cloud.environment('managedIdentity', running.files)
  for (const name of identityVariables) process.env[name] = settings[name]
})
afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) Reflect.deleteProperty(process.env, name)
    else process.env[name] = value
  }
})

async function reportOf(
  mode: EnclaveAuthMode,
  fault: FaultChoice,
  target?: FaultTarget,
  env: Readonly<Record<string, string>> = {},
): Promise<DiagnosticsReport> {
  await running.cloud.setFault(fault, target)
  const variables = { ...running.cloud.environment(mode, running.files), PLATFORM_TOKEN_TIMEOUT_MS: '6000', ...env }
  return (await createService(variables).diagnostics(() => undefined)).report()
}

const fixesOf = ({ rootCause, checks, token }: DiagnosticsReport): readonly string[] => [
  ...[rootCause?.fix, token.error?.fix].flatMap((fix) => fix ?? []),
  ...checks.flatMap(({ status, fix }) => (status === 'fail' && fix !== undefined ? [fix] : [])),
]

/** Every variable of a credential, and those that a mode reads. */
const ofCredentials = settingRows
  .map(({ name }) => name)
  .filter((name) => /^PLATFORM_(CLIENT_SECRET|CLIENT_CERTIFICATE|FEDERATED|USERNAME|PASSWORD)/.test(name))
const readBy: Readonly<Partial<Record<EnclaveAuthMode, RegExp>>> = {
  clientSecret: /^PLATFORM_CLIENT_SECRET/,
  clientCertificate: /^PLATFORM_CLIENT_CERTIFICATE/,
  workloadIdentity: /^PLATFORM_FEDERATED/,
  usernamePassword: /^PLATFORM_(USERNAME|PASSWORD)/,
}

interface Refusal {
  readonly name: string
  readonly fault: FaultChoice
  readonly target: FaultTarget
  /** The code in each mode that sends the credential that it is about. */
  readonly codes: Readonly<Partial<Record<EnclaveAuthMode, string>>>
}

/** As an authority without numbers refuses a client: a federation service. */
const withoutNumber = (error: string): FaultChoice => ({
  kind: 'replaced-status',
  status: 401,
  body: { error, error_description: 'MSIS9605: The client is not allowed to access the requested resource.' },
})

const notPublic = { deviceCode: 'CLIENT_NOT_PUBLIC', usernamePassword: 'CLIENT_NOT_PUBLIC' }
const asserted = { clientCertificate: 'CLIENT_ASSERTION_REJECTED', workloadIdentity: 'CLIENT_ASSERTION_REJECTED' }
const refusals: readonly Refusal[] = [
  {
    name: 'invalid_client without a number',
    fault: withoutNumber('invalid_client'),
    target: 'login/token',
    codes: { clientSecret: 'CLIENT_SECRET_INVALID', ...asserted, usernamePassword: 'CLIENT_NOT_PUBLIC' },
  },
  {
    name: 'invalid_client without a number, to a device',
    fault: withoutNumber('invalid_client'),
    target: 'login/device-code',
    codes: { deviceCode: 'CLIENT_NOT_PUBLIC' },
  },
  {
    name: 'AADSTS7000218',
    fault: { kind: 'aadsts', number: 7000218, error: 'invalid_client' },
    target: 'login/token',
    codes: { usernamePassword: notPublic.usernamePassword },
  },
  {
    name: 'AADSTS7000218, to a device',
    fault: { kind: 'aadsts', number: 7000218, error: 'invalid_client' },
    target: 'login/device-code',
    codes: { deviceCode: notPublic.deviceCode },
  },
  {
    name: 'AADSTS7000112, an application that is disabled',
    fault: { kind: 'aadsts', number: 7000112, error: 'unauthorized_client' },
    target: 'login/token',
    codes: { clientSecret: 'SIGN_IN_NOT_ALLOWED', usernamePassword: 'SIGN_IN_NOT_ALLOWED' },
  },
  { name: 'AADSTS700027', fault: { kind: 'aadsts', number: 700027 }, target: 'login/token', codes: asserted },
  {
    name: 'AADSTS700016',
    fault: { kind: 'aadsts', number: 700016, error: 'unauthorized_client' },
    target: 'login/token',
    codes: {
      clientSecret: 'CLIENT_UNKNOWN',
      clientCertificate: 'CLIENT_UNKNOWN',
      workloadIdentity: 'CLIENT_UNKNOWN',
      usernamePassword: 'CLIENT_UNKNOWN',
    },
  },
]

const refused = refusals.flatMap(({ codes, ...row }) =>
  Object.entries(codes).map(([mode, code]) => ({ ...row, mode: mode as EnclaveAuthMode, code })),
)

describe('A fix names no credential of another mode', () => {
  test.each(refused)('$name with $mode is $code', async ({ mode, fault, target, code }) => {
    const report = await reportOf(mode, fault, target)
    expect(report.rootCause?.code).toBe(code)
    const strange = ofCredentials.filter((name) => readBy[mode]?.test(name) !== true)
    const fixes = fixesOf(report)
    expect(fixes.length).toBeGreaterThan(0)
    expect(fixes.filter((fix) => strange.some((name) => fix.includes(name)))).toEqual([])
  })

  test('an expired federated token is renewed, not registered again', async () => {
    const { cloud, files } = running
    const { writeFile } = await import('node:fs/promises')
    const path = `${files.directory}/expired-token`
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = {
      iss: 'https://cluster.test/',
      sub: 'system:serviceaccount:a:b',
      aud: 'api://x',
      exp: 1_700_000_000,
    }
    await writeFile(path, `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`)
    const report = await reportOf('workloadIdentity', { kind: 'aadsts', number: 700024 }, 'login/token', {
      PLATFORM_FEDERATED_TOKEN_FILE: path,
    })
    expect(report.rootCause).toMatchObject({ code: 'CLIENT_ASSERTION_REJECTED' })
    expect(report.rootCause?.fix).toMatch(/^Replace the federated token .* expired at 2023-11-14T22:13:20\.000Z/)
    expect(cloud.foreign.received).toEqual([])
  })
})

/** What the identity endpoint can do wrong, and what of it the login authority has no part in. */
const identityFaults: readonly (readonly [FaultChoice, code: string])[] = [
  [{ kind: 'refused' }, 'IDENTITY_ENDPOINT_REFUSED'],
  [{ kind: 'not-found' }, 'IDENTITY_ENDPOINT_NOT_FOUND'],
  [{ kind: 'html' }, 'IDENTITY_ENDPOINT_RESPONSE_INVALID'],
  [{ kind: 'redirect' }, 'IDENTITY_ENDPOINT_REDIRECTED'],
  [{ kind: 'huge-body' }, 'IDENTITY_ENDPOINT_RESPONSE_TOO_LARGE'],
  [{ kind: 'status-500' }, 'IDENTITY_ENDPOINT_HTTP_ERROR'],
  [{ kind: 'replaced-fields' }, 'IDENTITY_ENDPOINT_RESPONSE_INVALID'],
  [{ kind: 'replaced-status', status: 400 }, 'MANAGED_IDENTITY_REJECTED'],
]

describe('A fault of the identity endpoint', () => {
  test.each(identityFaults)('%j is %s, which blames the endpoint and no login authority', async (fault, code) => {
    const report = await reportOf('managedIdentity', fault, 'managed-identity')
    expect(report.rootCause?.code).toBe(code)
    const red = (report.diagram ?? []).filter(({ status }) => status === 'fail').map(({ id }) => id)
    expect(red).toEqual(['identity-endpoint'])
    expect(fixesOf(report).filter((fix) => /authorityHost|AUTHORITY_HOST|, which the host sets/.test(fix))).toEqual([])
  })

  test('a token of another tenant is about the identity', async () => {
    const report = await reportOf('managedIdentity', { kind: 'wrong-tenant' }, 'managed-identity')
    expect(report.rootCause?.fix).toMatch(/set PLATFORM_TENANT_ID to it\. If not, use an identity of the tenant/)
  })
})

describe('The fix of a redirect', () => {
  test.each<[FaultTarget, field: string, value: () => string]>([
    ['resource-manager', 'resourceManagerEndpoint', () => `${running.cloud.foreign.origin}/`],
    ['resource-manager/metadata', 'metadataEndpoint', () => `${running.cloud.foreign.origin}/metadata/endpoints`],
  ])('at %s gives a value that %s can have', async (target, field, value) => {
    const report = await reportOf('clientSecret', { kind: 'redirect' }, target)
    const fix = report.rootCause?.fix ?? ''
    expect(fix).toContain(`\`${field}\` in ${running.files.profilePath} to ${value()}.`)
  })
})

test.each<FaultTarget>(['login', 'login/token'])(
  'a redirect at %s leaves an authority that the cloud confirms',
  async (target) => {
    const report = await reportOf('clientSecret', { kind: 'redirect' }, target)
    expect(report.rootCause?.fix).toMatch(
      /^Ask the operator of \S+ why it redirects to .* The profile is correct \(the cloud's metadata confirms this login authority\)\.$/,
    )
  },
)

describe('The fix of an unknown path', () => {
  test.each<[FaultTarget, RegExp]>([
    ['login', /^Correct PLATFORM_TENANT_ID: /],
    ['login/token', /^Ask the operator of \S+ why its token endpoint \S+ returns 404\.$/],
    ['resource-manager', /^Correct the path of `resourceManagerEndpoint` in (?!.*tenant)/i],
    ['resource-manager/metadata', /^Correct the path of `metadataEndpoint` in (?!.*tenant)/i],
  ])('at %s names what is in it', async (target, text) => {
    const report = await reportOf('clientSecret', { kind: 'not-found' }, target)
    expect(report.rootCause?.fix).toMatch(text)
  })
})

test.each(modes)('no fix of %s contradicts itself', async (mode) => {
  for (const kind of ['foreign-challenge', 'replaced-fields', 'missing-token-endpoint'] as const) {
    const report = await reportOf(mode, { kind }, kind === 'foreign-challenge' ? 'resource-manager' : undefined)
    const contradictory = fixesOf(report).filter(
      (fix) =>
        /profile is correct/.test(fix) && /\b(?:correct|set|or) [^.]*(?:profile\)|`\w+` in|of the account)/i.test(fix),
    )
    expect(contradictory).toEqual([])
  }
})

describe('The fix of a host behind a proxy', () => {
  const nobody = 'http://127.0.0.1:9'

  test('names NO_PROXY where it keeps a name from the proxy that knows it', async () => {
    const report = await reportOf('clientSecret', { kind: 'byte-order-mark' }, undefined, {
      PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true',
      PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://management.nowhere.test/',
      HTTPS_PROXY: nobody,
      NO_PROXY: '.nowhere.test',
    })
    expect(report.rootCause?.code).toBe('RESOURCE_MANAGER_DNS_FAILED')
    expect(report.rootCause?.fix).toMatch(
      /^If the proxy of HTTPS_PROXY knows management\.nowhere\.test, remove \.nowhere\.test from NO_PROXY/,
    )
  })

  test.each([
    ['PLATFORM_STORAGE_ACCOUNT', 'data.blob.core.enclave.test'],
    ['PLATFORM_KEY_VAULT', 'data.vault.enclave.test'],
  ])('names %s too, since a proxy does not tell which name is wrong', async (variable, host) => {
    const proxy = await startForwardProxy({ ports: new Map() })
    onTestFinished(() => proxy.close())
    const env = { [variable]: 'data', HTTPS_PROXY: `http://${proxy.host}` }
    const report = await reportOf('clientSecret', { kind: 'byte-order-mark' }, undefined, env)
    expect(report.rootCause?.code).toBe('SERVICE_PROXY_FAILED')
    expect(report.rootCause?.fix).toContain(`allow connections to ${host}, which it refused (502).`)
    expect(report.rootCause?.fix).toContain(`If ${host} is wrong, correct ${variable}`)
  })
})
