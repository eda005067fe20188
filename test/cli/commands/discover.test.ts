import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { placeholderFields } from '../../../src/lib/profile/field-path.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { useEnclave } from '../../support/use-enclave.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { commandLine } from '../../support/start-command.ts'
import { useProcesses } from '../../support/processes.ts'
import { runCommand } from '../run-command.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()
/** On a busy machine an attempt that succeeds takes its time. */
const patient = { PLATFORM_TOKEN_TIMEOUT_MS: '120000' }
const readProfile = (file: string): CloudProfile => parseCloudProfile(JSON.parse(readFileSync(file, 'utf8')))

// integration/private-cloud.test.ts and deploy/stack.test.ts get a token with the profile that discover writes.
describe.each([
  ['with tenants', { federationService: false }, 'custom'],
  ['with a federation service', { federationService: true }, 'platformstackcloud'],
])('an enclave %s', (label, options, environment) => {
  const enclave = useEnclave(options)
  const file = join(temp.path, `${label}.json`)
  // A stack has no managed identity.
  const env = { ...patient, AUTH_MODE: 'managedIdentity' }
  const discover = (...args: string[]) =>
    runCommand(['discover', enclave.cloud.resourceManagerEndpoint, '--output', file, ...args], { env })

  test('is drafted from its one address, and never over a file without --force', async () => {
    const { code, stdout, stderr } = await discover('--name', 'found')
    expect({ code, stdout }).toStrictEqual({ code: 0, stdout: '' })
    const profile = readProfile(file)
    const { authorityHost, resourceManagerEndpoint, resourceManagerAudience, metadataEndpoint } = enclave.cloud.profile
    const confirmed = { authorityHost, resourceManagerEndpoint, resourceManagerAudience, metadataEndpoint }
    expect(profile).toMatchObject({ name: 'found', environment, ...confirmed })
    expect(stderr).toMatch(/^derived +serviceAudiences\.storage /m)
    // What needs nobody is listed with --all.
    expect(stderr).not.toMatch(/environment /)
    expect(stderr).toMatch(/^--all lists the other \d+ fields\.$/m)
    // The document of a stack with suffixes has everything that its cloud has.
    const isStack = environment === 'platformstackcloud'
    for (const text of ['note FUNCTIONS_ON_STACK: ', 'warning MANAGED_IDENTITY_ON_STACK: ', 'No field is left to'])
      expect(stderr.includes(text)).toBe(isStack)
    const { $schema } = JSON.parse(readFileSync(file, 'utf8')) as { $schema: string }
    expect(JSON.parse(readFileSync(resolve(dirname(file), $schema), 'utf8'))).toHaveProperty('title', 'Cloud profile')
    expect(profile.notes).toMatch(/(Placeholders to replace .*|Not in this cloud): serviceAudiences\.keyVault/)
    expect(placeholderFields(profile)).toStrictEqual(isStack ? [] : ['serviceAudiences.keyVault'])
    expect((await runCommand(['check', '--strict', file])).code).toBe(isStack ? 0 : 1)
    expect(await discover('--name', 'second')).toMatchObject({ code: 2, stderr: /exists; --force replaces it/ })
    expect(readProfile(file)).toEqual(profile)
    expect((await discover('--name', 'found', '--force')).code).toBe(0)
  })

  test('matches that draft, and has drifted from a profile with other values', async () => {
    const { code, stdout } = await runCommand(['drift', '--profile', file, '--format', 'json'], { env })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { name: 'found', matches: true }])
    const other = temp.write('other.json', {
      ...readProfile(file),
      portalUrl: 'https://portal.other.test/',
      resourceManagerAudience: 'https://management.other.test/',
    })
    const drifted = await runCommand(['drift', '--profile', other], { env })
    expect(drifted).toMatchObject({ code: 1, stdout: /^found has drifted from https/m })
    const differing = [/resourceManagerAudience/, /portalUrl/]
    expect(drifted.stdout.match(/^DIFFERS +\S+/gm)).toEqual(differing)
    expect(drifted.stdout).toMatch(/^same +authorityHost /m)
    expect(drifted.stdout.match(/^same +serviceDnsSuffixes\.\w+ /gm)).toHaveLength(4)
  })
})

describe('without an ENDPOINT', () => {
  const enclave = useEnclave()

  test.each(['platform-us-gov-secret', 'platformstack-custom'])('variables over %s become a file', async (name) => {
    const { profile } = enclave.cloud
    const variables = {
      PLATFORM_CLOUD: name,
      PLATFORM_AUTHORITY_HOST: profile.authorityHost,
      PLATFORM_RESOURCE_MANAGER_ENDPOINT: profile.resourceManagerEndpoint,
      PLATFORM_KEYVAULT_AUDIENCE: 'https://vault.enclave.test/',
    }
    const file = join(temp.path, `${name}.json`)
    const env = { ...patient, ...variables }
    const { code, stdout, stderr } = await runCommand(['discover', '--all', '--output', file], { env })
    expect(stdout).toBe('')
    const written = readProfile(file)
    expect(written.resourceManagerAudience).toBe(profile.resourceManagerAudience)
    expect(stderr).toMatch(/^confirmed +authorityHost /m)
    expect(stderr).toMatch(/^confirmed +resourceManagerAudience .* metadata$/m)
    expect(stderr).toMatch(/^given +serviceAudiences\.keyVault .* PLATFORM_KEYVAULT_AUDIENCE$/m)
    expect(code).toBe(placeholderFields(written).length === 0 ? 0 : 1)
    const last = [`Unset ${Object.keys(variables).join(', ')}`, `CUSTOM_CLOUD_PROFILE_PATH=${file}`]
    expect(stderr.trimEnd().split('\n').slice(-2)).toEqual(last)
  })

  test('where nothing answers, the guesses stay guesses and the exit code is 1', async () => {
    const env = {
      ...patient,
      PLATFORM_CLOUD: 'platform-us-gov-secret',
      PLATFORM_AUTHORITY_HOST: 'https://localhost:1/',
      PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://localhost:1/',
    }
    const { code, stdout, stderr } = await runCommand(['discover'], { env })
    expect(code).toBe(1)
    expect(parseCloudProfile(JSON.parse(stdout))).toMatchObject({ resourceManagerEndpoint: 'https://localhost:1/' })
    expect(stderr).toMatch(/^The metadata confirms no field \(METADATA_REFUSED\)/m)
    expect(stderr).toMatch(/^guessed +resourceManagerAudience /m)
    expect(stderr).toMatch(/^placeholder +serviceDnsSuffixes\.storage /m)
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('CUSTOM_CLOUD_PROFILE_PATH=FILE')
  })
})

describe('an invalid response', () => {
  const enclave = useEnclave()
  const argsOf = (command: string, endpoint = enclave.cloud.resourceManagerEndpoint) => {
    const profile = { ...enclave.cloud.profile, metadataEndpoint: endpoint }
    return command === 'discover' ? [command, endpoint] : [command, '--profile', temp.write('enclave.json', profile)]
  }

  test.each([
    ['an untrusted certificate', /^METADATA_UNTRUSTED: .*\nCause: .*\nFix: {3}.*NODE_EXTRA_CA_CERTS.*\n$/],
    ['a redirect', /^METADATA_\w+: .*redirect to 127\.0\.0\.1:\d+, .*\nCause: .+\nFix: {3}.+\n$/],
  ])('%s: message, cause and a fix for the endpoint that was given, and no file', async (what, stderr) => {
    if (what === 'a redirect') await enclave.cloud.setFault({ kind: 'redirect' }, 'resource-manager/metadata')
    const file = join(temp.path, 'never.json')
    const args = [...argsOf('discover'), '--output', file]
    const ended = await (what === 'a redirect'
      ? runCommand(args, { env: patient })
      : run([commandLine, ...args], { env: patient }))
    expect(ended).toMatchObject({ code: 1, stderr })
    expect(ended.stderr).not.toContain('metadataEndpoint')
    expect(existsSync(file)).toBe(false)
    expect(enclave.cloud.foreign.received).toStrictEqual([])
  })

  test.each(['discover', 'drift'])(
    '%s: a response that is no metadata is 1, and an invalid setting or URL 2',
    async (command) => {
      await enclave.cloud.setFault({ kind: 'html' }, 'resource-manager/metadata')
      const failed = await runCommand(argsOf(command), { env: patient })
      const stderr = /^METADATA_RESPONSE_INVALID: [^]*\nCause: [^]*\nFix: /
      expect(failed).toMatchObject({ code: 1, stdout: '', stderr })
      const late = await runCommand(argsOf(command), { env: { PLATFORM_TOKEN_TIMEOUT_MS: '10s' } })
      expect(late).toMatchObject({ code: 2, stderr: /^PLATFORM_TOKEN_TIMEOUT_MS must be a whole number/ })
      expect((await runCommand(argsOf(command, 'no-url'))).code).toBe(2)
    },
  )
})
