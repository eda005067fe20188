import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { EnclaveAuthMode } from '../../src/enclave/enclave.ts'
import type { Env } from '../../src/lib/base/env.ts'
import { isObject, valueAt } from '../../src/lib/base/json.ts'
import type { DiagnosticsReport, RootCause } from '../../src/lib/diagnostics/report.ts'
import type { FieldPath } from '../../src/lib/profile/field-path.ts'
import { withValueAt } from '../../src/lib/profile/field-path.ts'
import { createService } from '../../src/lib/service/service.ts'
import { deadlineFor } from '../support/deadline-for.ts'
import { faultTitle, loginFaults, reportFaults } from '../support/fault-table.ts'
import { useEnclave } from '../support/use-enclave.ts'

const running = useEnclave()

/** What a reader changes: the environment and the custom profile file. */
interface State {
  readonly env: Record<string, string | undefined>
  readonly file: string
}

/** Wrong values of fields, or what is done to the right ones. */
type Wrong = Readonly<Record<string, string | ((right: string) => string)>>

/** The environment of the enclave, with a copy of its profile that a fix may edit. */
function openState(name: string, fields: Wrong, variables: Env, mode: EnclaveAuthMode = 'clientSecret'): State {
  const known: Env = running.cloud.environment(mode, running.files)
  const env: Env = { ...known, ...variables }
  const source = String(known['CUSTOM_CLOUD_PROFILE_PATH'])
  const file = join(running.files.directory, `${name}.json`)
  let profile: unknown = JSON.parse(readFileSync(source, 'utf8'))
  for (const [path, wrong] of Object.entries(fields)) {
    const value = typeof wrong === 'string' ? wrong : wrong(String(valueAt(profile, path)))
    profile = withValueAt(profile, path as FieldPath, value)
  }
  writeFileSync(file, JSON.stringify(profile))
  return { env: { ...env, CUSTOM_CLOUD_PROFILE_PATH: file }, file }
}

async function run({ env }: State): Promise<DiagnosticsReport> {
  return (await createService(env).diagnostics(() => undefined)).report()
}

/** What an operator of the enclave would answer to the question for a value. */
function rightValue(name: string, mode: EnclaveAuthMode): string | undefined {
  const { cloud, files } = running
  const known: Env = cloud.environment(mode, files)
  const fields: Readonly<Record<string, FieldPath>> = {
    PLATFORM_AUTHORITY_HOST: 'authorityHost',
    PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'resourceManagerEndpoint',
    PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'resourceManagerAudience',
    PLATFORM_TENANT_ID: 'tenantId',
  }
  const value: unknown = known[name] ?? valueAt(cloud.profile, fields[name] ?? name)
  return typeof value === 'string' ? value : undefined
}

/**
 * Applies the change of a fix: with its value, or with the one that the operator of the cloud gives.
 *
 * @returns What was changed.
 */
function applyFix({ change, message }: Pick<RootCause, 'change' | 'message'>, { env, file }: State): string[] {
  const mode = env['AUTH_MODE'] as EnclaveAuthMode
  const setField = (path: string, where: string, value: string | undefined): string[] => {
    const document: unknown = JSON.parse(readFileSync(where, 'utf8'))
    if (value === undefined || !isObject(document) || valueAt(document, path) === value) return []
    writeFileSync(where, JSON.stringify(withValueAt(document, path as FieldPath, value)))
    return [`${path} in the file`]
  }
  if (change === undefined) {
    // Placeholders are several fields, which the message lists.
    const [, fields = ''] = /\breplace ([\w., ]+)/.exec(message) ?? []
    return fields.split(', ').flatMap((path) => setField(path, file, rightValue(path, mode)))
  }
  if ('field' in change) return setField(change.field, change.file, change.value ?? rightValue(change.field, mode))
  const value = change.value ?? rightValue(change.variable, mode)
  if (value === undefined || env[change.variable] === value) return []
  env[change.variable] = value
  return [change.variable]
}

interface Mistake {
  readonly what: string
  readonly fields?: Wrong
  readonly env?: Env
  /** Default is clientSecret. */
  readonly mode?: EnclaveAuthMode
}

const nowhere = 'https://login.nowhere.test/'
const overriding = { PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true' }
const mistakes: readonly Mistake[] = [
  { what: 'an authority without an address, in the file', fields: { authorityHost: nowhere } },
  { what: 'an authority without an address, in a variable', env: { ...overriding, PLATFORM_AUTHORITY_HOST: nowhere } },
  { what: 'an authority with a path', fields: { authorityHost: (host) => `${host}tenant/` } },
  { what: 'an authority with the path of a federation service', fields: { authorityHost: (host) => `${host}adfs/` } },
  {
    what: 'a resource manager without TLS',
    fields: { resourceManagerEndpoint: (address) => address.replace('https:', 'http:') },
  },
  ...['common', 'Organizations', 'consumers'].map((tenant) => ({
    what: `the tenant ${tenant}`,
    env: { PLATFORM_TENANT_ID: tenant },
  })),
  {
    what: 'a federated token that is no JWT',
    mode: 'workloadIdentity',
    env: { PLATFORM_FEDERATED_TOKEN_FILE: fileURLToPath(import.meta.url) },
  },
  { what: 'an authority where nothing listens', fields: { authorityHost: 'https://localhost:1/' } },
  {
    what: 'a resource manager where nothing listens, in the file',
    fields: { resourceManagerEndpoint: 'https://localhost:1/' },
  },
  {
    what: 'a resource manager where nothing listens, in a variable',
    env: { ...overriding, PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://localhost:1/' },
  },
  {
    what: 'an audience of another cloud, in the file',
    fields: { resourceManagerAudience: 'https://management.azure.com/' },
  },
  {
    what: 'an audience of another cloud, in a variable',
    env: { ...overriding, PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'https://management.azure.com/' },
  },
  { what: 'an unknown tenant', env: { PLATFORM_TENANT_ID: '00000000-0000-0000-0000-000000000000' } },
  { what: 'an unknown client', env: { PLATFORM_CLIENT_ID: '00000000-0000-0000-0000-000000000000' } },
  { what: 'a wrong secret', env: { PLATFORM_CLIENT_SECRET: 'wrong' } },
  { what: 'no secret', env: { PLATFORM_CLIENT_SECRET: '' } },
  { what: 'no client', env: { PLATFORM_CLIENT_ID: '' } },
  {
    what: 'no certificate file',
    mode: 'clientCertificate',
    env: { PLATFORM_CLIENT_CERTIFICATE_PATH: '/nowhere.pem' },
  },
  { what: 'no token file', mode: 'workloadIdentity', env: { PLATFORM_FEDERATED_TOKEN_FILE: '/nowhere' } },
  { what: 'no setting of the token file', mode: 'workloadIdentity', env: { PLATFORM_FEDERATED_TOKEN_FILE: '' } },
  { what: 'a wrong password', mode: 'usernamePassword', env: { PLATFORM_PASSWORD: 'wrong' } },
  { what: 'an unknown user', mode: 'usernamePassword', env: { PLATFORM_USERNAME: 'nobody@enclave.test' } },
  { what: 'a placeholder, in the file', fields: { authorityHost: 'https://login.secret.placeholder.invalid/' } },
  {
    what: 'a metadata endpoint without a document',
    fields: { metadataEndpoint: 'https://localhost:1/metadata/endpoints' },
  },
]

describe('The fix of the report, followed to the letter,', () => {
  test.each(mistakes)('repairs $what', async ({ what, fields = {}, env = {}, mode }) => {
    const state = openState(what.replaceAll(/\W+/g, '-'), fields, env, mode)
    let report = await run(state)
    const seen: string[] = []
    // A second mistake may stand behind the first, but no fix may lead back to where it began.
    while (report.status === 'failed' && seen.length < 3) {
      const { code = '', fix = '', message = '', change } = report.rootCause ?? {}
      seen.push(`${code}: ${fix} -> ${applyFix({ ...(change && { change }), message }, state).join()}`)
      report = await run(state)
    }
    expect({ status: report.status, seen }).toMatchObject({ status: expect.stringMatching(/ok|warning/) as string })
    expect(seen).not.toEqual([])
  })

  const named = [...loginFaults, ...reportFaults].map((row) => ({ ...row, name: faultTitle(row) }))
  test.each(named)('changes what $name is about, or leaves the settings alone', async (row) => {
    await running.cloud.setFault(row.fault, row.target)
    const deadline = { PLATFORM_TOKEN_TIMEOUT_MS: String(deadlineFor(row.code, 1500)) }
    const state = openState(`fault-${row.name.replaceAll(/\W+/g, '-')}`, {}, deadline)
    const { code = '', fix = '', message = '', change } = (await run(state)).rootCause ?? {}
    const changed = applyFix({ ...(change && { change }), message }, state)
    const after = await run(state)
    // The profile of the enclave is right: what a fix changes must not end in the same root cause.
    expect({ fix, changed, code: changed.length === 0 ? code : after.rootCause?.code === code }).toEqual({
      fix,
      changed,
      code: changed.length === 0 ? code : false,
    })
  })
})
