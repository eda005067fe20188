import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { placeholderFields } from '../../../src/lib/profile/field-path.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { useEnclave } from '../../support/use-enclave.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { serveApp } from '../../support/use-service.ts'
import { runCommand } from '../run-in-process.ts'
import { useProfileCommand } from '../run-profile.ts'

const runProfile = useProfileCommand()
const temp = useTemporaryDirectory()
/** On a busy machine each of two processes takes its time. */
const patient = { PLATFORM_TOKEN_TIMEOUT_MS: '120000' }
const readProfile = (file: string): CloudProfile => parseCloudProfile(JSON.parse(readFileSync(file, 'utf8')))

describe.each([
  ['with tenants', { federationService: false }, 'custom'],
  ['with a federation service', { federationService: true }, 'platformstackcloud'],
])('an enclave %s', (label, options, environment) => {
  const enclave = useEnclave(options)
  let env: Record<string, string>
  let file: string
  beforeAll(() => {
    const NODE_EXTRA_CA_CERTS = temp.write(`${label}.pem`, enclave.cloud.ca.certificatePem)
    // A stack has no managed identity.
    env = { ...patient, NODE_EXTRA_CA_CERTS, AUTH_MODE: 'managedIdentity' }
    file = join(temp.path, `${label}.json`)
  })
  const discover = (...args: string[]) =>
    runProfile(['discover', enclave.cloud.resourceManagerEndpoint, '--output', file, ...args], { env })

  test('is drafted from its one address', async () => {
    const { code, stdout, stderr } = await discover('--name', 'found')
    expect({ code, stdout }).toStrictEqual({ code: 0, stdout: '' })
    const profile = readProfile(file)
    expect(profile).toMatchObject({ name: 'found', environment })
    for (const field of [
      'authorityHost',
      'resourceManagerEndpoint',
      'resourceManagerAudience',
      'metadataEndpoint',
    ] as const)
      expect(profile[field]).toBe(enclave.cloud.profile[field])
    expect(stderr).toMatch(/^derived +serviceAudiences\.storage /m)
    // What needs nobody is listed with --all.
    expect(stderr).not.toMatch(/environment /)
    expect(stderr).toMatch(/^--all lists the other \d+ fields\.$/m)
    for (const said of ['note FUNCTIONS_ON_STACK: ', 'warning MANAGED_IDENTITY_ON_STACK: '])
      expect(stderr.includes(said)).toBe(environment === 'platformstackcloud')
    const { $schema } = JSON.parse(readFileSync(file, 'utf8')) as { $schema: string }
    expect(JSON.parse(readFileSync(resolve(dirname(file), $schema), 'utf8'))).toHaveProperty('title', 'Cloud profile')
    // The document of a stack with suffixes has everything that its cloud has.
    const isStack = environment === 'platformstackcloud'
    expect(stderr.includes('No field is left to replace.')).toBe(isStack)
    expect(profile.notes).toMatch(/(Placeholders to replace .*|Not in this cloud): serviceAudiences\.keyVault/)
    expect(placeholderFields(profile)).toStrictEqual(isStack ? [] : ['serviceAudiences.keyVault'])
    expect((await runProfile(['check', '--strict', file])).code).toBe(isStack ? 0 : 1)
  })

  test('gives the service a token by that draft', async () => {
    const { PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PLATFORM_TENANT_ID } = enclave.cloud.environment('clientSecret')
    const service = await serveApp({
      ...env,
      AUTH_MODE: 'clientSecret',
      PLATFORM_CLIENT_ID,
      PLATFORM_CLIENT_SECRET,
      PLATFORM_TENANT_ID,
      CUSTOM_CLOUD_PROFILE_PATH: file,
    })
    try {
      const diagnostics = await service.request('/api/diagnostics')
      expect(await diagnostics.json()).toMatchObject({ cloud: { name: 'found' }, token: { status: 'acquired' } })
      // Round trip: what the service shows is a custom file of the same profile.
      const shown = temp.write(`${label} shown.json`, await (await service.request('/api/profile')).json())
      expect(readProfile(shown)).toStrictEqual(readProfile(file))
    } finally {
      await service.close()
    }
  })

  test('matches that draft', async () => {
    const { code, stdout } = await runProfile(['drift', '--profile', file, '--format', 'json'], { env })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ name: 'found', matches: true })
  })

  test('has drifted from a profile with other values', async () => {
    const other = temp.write('other.json', {
      ...readProfile(file),
      portalUrl: 'https://portal.other.test/',
      resourceManagerAudience: 'https://management.other.test/',
    })
    const { code, stdout } = await runProfile(['drift', '--profile', other], { env })
    expect(code).toBe(1)
    expect(stdout.match(/^DIFFERS +\S+/gm)).toStrictEqual([
      expect.stringContaining('resourceManagerAudience'),
      expect.stringContaining('portalUrl'),
    ])
    expect(stdout).toMatch(/^same +authorityHost /m)
    expect(stdout.match(/^same +serviceDnsSuffixes\.\w+ /gm)).toHaveLength(4)
    expect(stdout).toMatch(/^found has drifted from https/m)
  })

  test('does not overwrite a file without --force', async () => {
    const before = readFileSync(file, 'utf8')
    const refused = await discover('--name', 'second')
    expect(refused).toMatchObject({ code: 2, stderr: /exists; --force replaces it/ })
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect((await discover('--name', 'second', '--force')).code).toBe(0)
    expect(readProfile(file).name).toBe('second')
    expect(readdirSync(temp.path).filter((name) => name.endsWith('.tmp'))).toStrictEqual([])
  })
})

describe('without an ENDPOINT', () => {
  const enclave = useEnclave()
  const names = ['platform-us-gov-secret', 'platformstack-custom']

  test.each(names)('variables over %s become a file', async (PLATFORM_CLOUD) => {
    const { profile, ca } = enclave.cloud
    const variables = {
      PLATFORM_CLOUD,
      PLATFORM_AUTHORITY_HOST: profile.authorityHost,
      PLATFORM_RESOURCE_MANAGER_ENDPOINT: profile.resourceManagerEndpoint,
      PLATFORM_KEYVAULT_AUDIENCE: 'https://vault.enclave.test/',
    }
    const trust = { ...patient, NODE_EXTRA_CA_CERTS: temp.write('ca.pem', ca.certificatePem) }
    const file = join(temp.path, `${PLATFORM_CLOUD}.json`)
    const { code, stdout, stderr } = await runProfile(['discover', '--all', '--output', file], {
      env: { ...trust, ...variables },
    })
    expect(stdout).toBe('')
    const written = readProfile(file)
    expect(written.resourceManagerAudience).toBe(profile.resourceManagerAudience)
    expect(stderr).toMatch(/^confirmed +authorityHost /m)
    expect(stderr).toMatch(/^confirmed +resourceManagerAudience .* metadata$/m)
    expect(stderr).toMatch(/^given +serviceAudiences\.keyVault .* PLATFORM_KEYVAULT_AUDIENCE$/m)
    const isComplete = placeholderFields(written).length === 0
    expect(code).toBe(isComplete ? 0 : 1)
    expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
      `Unset PLATFORM_CLOUD, PLATFORM_AUTHORITY_HOST, PLATFORM_RESOURCE_MANAGER_ENDPOINT, PLATFORM_KEYVAULT_AUDIENCE`,
      `CUSTOM_CLOUD_PROFILE_PATH=${file}`,
    ])
  })

  test('where nothing answers, the guesses stay guesses and the exit code is 1', async () => {
    const env = {
      ...patient,
      PLATFORM_CLOUD: 'platform-us-gov-secret',
      PLATFORM_AUTHORITY_HOST: 'https://localhost:1/',
      PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://localhost:1/',
    }
    const { code, stdout, stderr } = await runProfile(['discover'], { env })
    expect(code).toBe(1)
    expect(parseCloudProfile(JSON.parse(stdout))).toMatchObject({ resourceManagerEndpoint: 'https://localhost:1/' })
    expect(stderr).toMatch(/^The metadata confirms no field \(METADATA_REFUSED\)/m)
    expect(stderr).toMatch(/^guessed +resourceManagerAudience /m)
    expect(stderr).toMatch(/^placeholder +serviceDnsSuffixes\.storage /m)
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('CUSTOM_CLOUD_PROFILE_PATH=FILE')
  })
})

describe('a response that is no use', () => {
  const enclave = useEnclave()
  const trust = () => ({ ...patient, NODE_EXTRA_CA_CERTS: temp.write('ca.pem', enclave.cloud.ca.certificatePem) })

  test.each([
    ['an untrusted certificate', undefined, /^METADATA_UNTRUSTED: .*\nCause: .*\nFix: {3}.*NODE_EXTRA_CA_CERTS.*\n$/],
    ['a redirect', 'redirect', /^METADATA_\w+: .*redirect to 127\.0\.0\.1:\d+, .*\nCause: .+\nFix: {3}.+\n$/],
  ] as const)('%s: message, cause and a fix for the endpoint that was given, and no file', async (_, kind, message) => {
    await enclave.cloud.setFault(kind && { kind }, 'resource-manager/metadata')
    const file = join(temp.path, 'never.json')
    const args = ['discover', enclave.cloud.resourceManagerEndpoint, '--output', file]
    const ended = await runProfile(args, { env: kind === undefined ? patient : trust() })
    expect(ended).toMatchObject({ code: 1, stderr: message })
    expect(ended.stderr).not.toContain('metadataEndpoint')
    expect(existsSync(file)).toBe(false)
    expect(enclave.cloud.foreign.received).toStrictEqual([])
  })

  test('drift fails as a check', async () => {
    await enclave.cloud.setFault({ kind: 'html' }, 'resource-manager/metadata')
    const profile = temp.write('enclave.json', enclave.cloud.profile)
    const ended = await runProfile(['drift', '--profile', profile], { env: trust() })
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: /^METADATA_RESPONSE_INVALID: / })
  })

  test.each(['discover', 'drift'])('%s takes its time limit from PLATFORM_TOKEN_TIMEOUT_MS', async (command) => {
    const profile = ['--profile', temp.write('enclave.json', enclave.cloud.profile)]
    const args = [command, ...(command === 'drift' ? profile : [enclave.cloud.resourceManagerEndpoint])]
    const ended = await runCommand(args, { env: { PLATFORM_TOKEN_TIMEOUT_MS: '10s' } })
    expect(ended).toMatchObject({ code: 2, stderr: /^PLATFORM_TOKEN_TIMEOUT_MS must be a whole number/ })
  })
})
