import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { cleanEnvironment } from '../support/environment.ts'
import { useProcesses, type Ended } from '../support/processes.ts'
import { copyProject, repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const directory = useTemporaryDirectory()
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

/** What an application writes; the expected errors are part of the contract. */
const application = `
import {
  builtInProfileNames, cloudEnvironments, createCredential, createCredentialPlan, explainCloudProfile,
  parseCloudProfile, resolveAuthMode, resolveCloudProfile, resourceManagerUrl, scopeFor,
  ServiceError, serviceUrl, shouldDisableInstanceDiscovery,
} from 'cloud-profile-service'
import { discoverCloud, metadataUrl, parseCloudMetadata, type CloudMetadata } from 'cloud-profile-service/metadata'
import type {
  AuthMode, CloudEnvironment, CloudProfile, CredentialPlan, DnsService, Env, ErrorCode, ExplainedProfile,
  FieldPath, ProfileSource, ResolveOptions, Warning,
} from 'cloud-profile-service'
import schema from 'cloud-profile-service/cloud-profiles/schema.json' with { type: 'json' }

const options: ResolveOptions = { name: 'platform-commercial', env: {} }
const profile: CloudProfile = resolveCloudProfile(options)
const explained: ExplainedProfile = explainCloudProfile(options)
const source: ProfileSource = explained.source
const origin: string | undefined = explained.fields.authorityHost?.from
const warnings: readonly Warning[] = explained.warnings
const environment: CloudEnvironment = profile.environment
const tenant: string | undefined = profile.tenantId
const path: FieldPath = 'serviceDnsSuffixes.storage'
const service: DnsService = 'storage'
const env: Env = { AUTH_MODE: 'clientSecret', PLATFORM_TENANT_ID: 't', PLATFORM_CLIENT_ID: 'c', PLATFORM_CLIENT_SECRET: 'hunter2' }
const mode: AuthMode = resolveAuthMode(env)
const plan: CredentialPlan = createCredentialPlan(profile, env)
const credential = await createCredential(plan)
const metadata: CloudMetadata = parseCloudMetadata(
  { authentication: { loginEndpoint: 'https://login.example/', audiences: ['https://m.example/'] } }, 'https://m.example/')
let code: ErrorCode | undefined
try { parseCloudProfile(null) } catch (error) { if (error instanceof ServiceError) code = error.code }
const notConfigured = await discoverCloud(resolveCloudProfile({ name: 'platformstack-custom', env: {} }))
  .catch((error: unknown) => error instanceof ServiceError && error.code)

// @ts-expect-error a profile is read-only
if (mode === 'default') profile.name = 'x'
// @ts-expect-error an unknown service
if (mode === 'default') serviceUrl(profile, 'queues', 'x')
// @ts-expect-error an environment holds texts
if (mode === 'default') resolveCloudProfile({ env: { PORT: 3000 } })

console.log(JSON.stringify({
  name: profile.name, source, origin, warnings, environment, tenant, path, mode, plan: plan.mode,
  credential: typeof credential.getToken, login: metadata.loginEndpoint, code, notConfigured, schema: schema.title,
  names: builtInProfileNames.length, environments: cloudEnvironments.length,
  disabled: shouldDisableInstanceDiscovery(profile.authorityHost), scope: scopeFor(profile.resourceManagerAudience),
  url: serviceUrl(profile, service, 'data'), manager: resourceManagerUrl(profile, 'x'), metadata: metadataUrl('https://m.example'),
}))
`

describe('The library, imported by its package name', () => {
  let consumer: string
  beforeAll(() => {
    const project = copyProject(join(directory.path, 'project'))
    const build = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', `await (await import('./scripts/build/build-library.ts')).buildLibrary()`],
      {
        cwd: project,
        env: cleanEnvironment(),
        encoding: 'utf8',
      },
    )
    if (build.status !== 0) throw new Error(`The library could not be built:\n${build.stdout}${build.stderr}`)
    consumer = join(directory.path, 'consumer')
    mkdirSync(join(consumer, 'node_modules'), { recursive: true })
    mkdirSync(join(directory.path, 'bare'))
    symlinkSync(project, join(consumer, 'node_modules', 'cloud-profile-service'), 'dir')
    symlinkSync(join(repository, 'node_modules', '@types'), join(consumer, 'node_modules', '@types'), 'dir')
    directory.write('consumer/package.json', { type: 'module' })
    directory.write('consumer/application.ts', application)
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'dom'],
      types: ['node'],
      resolveJsonModule: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    }
    directory.write('consumer/tsconfig.json', { compilerOptions, files: ['application.ts'] })
  })

  const failure = ({ code, stdout, stderr }: Ended) => (code === 0 ? '' : stdout + stderr)

  test('an application type-checks against it, strict and as Node resolves', async () => {
    expect(failure(await run([tsc, '-p', '.'], { cwd: consumer }))).toBe('')
  })

  test('its types need no others, not those of Node either', async () => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023'],
      types: [],
      skipLibCheck: false,
    }
    const files = [join(directory.path, 'project/dist/lib/index.d.ts')]
    directory.write('bare/tsconfig.json', { compilerOptions, files })
    expect(failure(await run([tsc, '-p', '.'], { cwd: join(directory.path, 'bare') }))).toBe('')
  })

  test('an application runs with it', async () => {
    const ended = await run(['application.ts'], { cwd: consumer })
    expect(failure(ended)).toBe('')
    expect(JSON.parse(ended.stdout)).toEqual({
      name: 'platform-commercial',
      source: { kind: 'built-in', name: 'platform-commercial' },
      origin: 'built-in platform-commercial',
      warnings: [],
      environment: 'public',
      path: 'serviceDnsSuffixes.storage',
      mode: 'clientSecret',
      plan: 'clientSecret',
      credential: 'function',
      login: 'https://login.example/',
      code: 'PROFILE_INVALID',
      notConfigured: 'METADATA_NOT_CONFIGURED',
      schema: 'Cloud profile',
      names: 5,
      environments: 6,
      disabled: false,
      scope: 'https://management.azure.com/.default',
      url: 'https://data.blob.core.windows.net/',
      manager: 'https://management.azure.com/x',
      metadata: 'https://m.example/metadata/endpoints?api-version=2015-01-01',
    })
  })

  test('its names are the contract, and no other', async () => {
    const list = `console.log(JSON.stringify(Object.keys(await import('cloud-profile-service')).sort()))`
    const { stdout } = await run(['--input-type=module', '--eval', list], { cwd: consumer })
    expect(JSON.parse(stdout)).toEqual([
      'ServiceError',
      'builtInProfileNames',
      'cloudEnvironments',
      'createCredential',
      'createCredentialPlan',
      'explainCloudProfile',
      'finding',
      'parseCloudProfile',
      'resolveAuthMode',
      'resolveCloud',
      'resolveCloudProfile',
      'resourceManagerUrl',
      'scopeFor',
      'serviceUrl',
      'shouldDisableInstanceDiscovery',
    ])
  })
})
