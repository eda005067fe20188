import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { fields } from '../../src/lib/profile/field-path.ts'
import { libraryRows } from '../../src/lib/variables.ts'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { fileOfPackage } from '../support/some-packages.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

// docs/reference/api.d.ts is the type file of the package, which `npm run check` keeps equal to the sources.

const directory = useTemporaryDirectory()
const { run } = useProcesses()
const read = (name: string) => readFileSync(join(repository, `docs/reference/${name}.d.ts`), 'utf8')
const [declarations, types, metadataTypes] = [read('api'), read('api-types'), read('api-metadata')]

const application = `
import {
  createCredential, createCredentialPlan, resolveCloud, resolveCloudProfile, ServiceError,
  type Cloud, type CloudName, type CloudProfile, type CredentialSettings, type Env, type ErrorCode, type GetTokenOptions, type LogEvent,
} from 'cloud-profile-service'
import { discoveredScope, type CloudMetadata } from 'cloud-profile-service/metadata'
import { startEnclave, type Enclave } from 'cloud-profile-enclave'

// As @azure/identity and JSON files declare it.
interface OfficialToken { token: string; expiresOnTimestamp: number; refreshAfterTimestamp?: number; tokenType?: 'Bearer' | 'pop' }
interface OfficialOptions { abortSignal?: { readonly aborted: boolean }; claims?: string; enableCae?: boolean; tenantId?: string }
declare const official: { getToken(scopes: string | string[], options?: OfficialOptions): Promise<OfficialToken | null> }
declare const imported: Omit<CloudProfile, 'environment'> & { environment: string }
declare function jwtVerify(token: string, options: { issuer?: string | string[]; audience?: string | string[] }): void

declare const processEnvironment: { [name: string]: string | undefined; TZ?: string | undefined }
declare const metadata: CloudMetadata
declare const abortSignal: NonNullable<GetTokenOptions['abortSignal']>

export async function main(): Promise<void> {
  const profile: CloudProfile = resolveCloudProfile({ name: 'platform-commercial', env: processEnvironment })
  const settings: CredentialSettings = { mode: 'clientSecret', clientId: 'c', clientSecret: 's' }
  const plan = createCredentialPlan(profile, settings)
  createCredentialPlan(profile, { ...processEnvironment, AUTH_MODE: 'managedIdentity', https_proxy: 'http://p.test' })
  const log = ({ event, code }: LogEvent): void => void [event, code]
  const credential = await createCredential(plan, { timeoutMs: 2000, log, onDeviceCode: ({ userCode }) => void userCode })
  const { token } = await credential.getToken(discoveredScope(profile, metadata), { abortSignal })
  const cloud: Cloud = await resolveCloud({ credential: { mode: 'managedIdentity' }, discoverAudience: true })
  const { url, scope }: { url: string; scope: string } = cloud.service('storage', token)
  const audience: string = cloud.service('sqlServer').audience + cloud.identity.jwksUri() + url + scope
  const disabled: boolean = cloud.service('keyVault', 'v').clientOptions.disableChallengeResourceVerification
  const { baseUrl, credentials }: { baseUrl: string; credentials: { scopes: string[] } } = cloud.service('microsoftGraph').clientOptions
  const options: { endpoint?: string; credentials?: { scopes?: string[] } } = cloud.resourceManager.clientOptions
  const codes: ErrorCode[] = ['TOKEN_CANCELLED']
  const env: Env = { PLATFORM_CLOUD: 'platform-commercial', ANOTHER_VARIABLE: 'x' }
  const enclave: Enclave = await startEnclave({ mode: 'deviceCode', faults: [{ fault: { kind: 'silent' } }] })
  await enclave.setFault({ kind: 'aadsts', number: 50049 }, 'login/token')
  await resolveCloud({ env: enclave.environment })
  void [audience, disabled, baseUrl, credentials, options, codes, env, ServiceError]

  const own = await resolveCloud({ profile: imported, credential: official })
  jwtVerify(token, { issuer: own.identity.issuers(), audience: own.identity.audiences('id') })

  await resolveCloud({ cloud: processEnvironment['CLOUD'] as CloudName, profile, credential })
  // @ts-expect-error a cloud that is not built in
  await resolveCloud({ cloud: 'bleu' })
  // @ts-expect-error a mode of the library alone
  await resolveCloud({ credential: { mode: 'onBehalfOf', clientId: 'c', clientSecret: 's' } })
  // @ts-expect-error a wrong key
  createCredentialPlan(profile, { mode: 'clientSecret', clientId: 'c', clientSecret: 's', clientSecre: 's' })
  // @ts-expect-error a missing key
  createCredentialPlan(profile, { mode: 'clientSecret', clientId: 'c' })
  // @ts-expect-error and for the default chain
  createCredentialPlan(profile, { mode: 'default', clientSecret: 's', clientSecretPath: '/s' })
  // @ts-expect-error the name of a key of another mode
  createCredentialPlan(profile, { mode: 'managedIdentity', clientSecret: 's' })
  // @ts-expect-error a frequent mistake
  createCredentialPlan(profile, { authMode: 'clientSecret', clientId: 'c' })
  // @ts-expect-error a variable is in upper case
  resolveCloudProfile({ env: { platformCloud: 'x' } })
  // A service that a profile of the application adds.
  cloud.service('myThing', 'x')
  // @ts-expect-error an option of another service's client
  void cloud.service('blob', 'x').clientOptions.disableChallengeResourceVerification
  // @ts-expect-error an unknown code
  codes.push('NO_SUCH_CODE')
  // @ts-expect-error an unknown fault
  await enclave.setFault({ kind: 'nope' })
}
`

beforeAll(() => {
  const entry = (name: string) => ({ types: `./dist/${name}/index.d.ts`, default: `./dist/${name}/index.js` })
  const metadata = { types: './dist/lib/metadata.d.ts', default: './dist/lib/metadata.js' }
  const exports = { '.': entry('lib'), './metadata': metadata }
  const root = 'node_modules/cloud-profile-service'
  directory.write(`${root}/package.json`, { name: 'cloud-profile-service', type: 'module', exports })
  directory.write(`${root}/dist/lib/index.d.ts`, declarations)
  directory.write(`${root}/dist/lib/types.d.ts`, types)
  directory.write(`${root}/dist/lib/metadata.d.ts`, metadataTypes)
  const enclave = 'node_modules/cloud-profile-enclave'
  const ofEnclave = { '.': { types: './index.d.ts', default: './index.js' } }
  directory.write(`${enclave}/package.json`, { name: 'cloud-profile-enclave', type: 'module', exports: ofEnclave })
  directory.write(`${enclave}/index.d.ts`, read('api-enclave'))
  directory.write('package.json', { type: 'module' })
  directory.write('application.ts', application)
})

test('the main entry begins with the cloud of an application, and declares no table, global name or internal method', () => {
  expect(declarations.split('\n').length).toBeLessThanOrEqual(150)
  const names = [...declarations.matchAll(/^(?:interface|declare function) (\w+)/gm)].map(([, name]) => name)
  expect(names.slice(0, 4)).toEqual(['CloudOptions', 'ProfileOptions', 'ResourceManagerAccess', 'Service'])
  const all = declarations + types + metadataTypes
  expect(all).not.toMatch(/zod|\bsigns:|declare global|setFix|again\(|warningFindings|@internal/)
  expect(new Set([...all.matchAll(/from "(.*)"/g)].map(([, from]) => from))).toEqual(new Set(['./types.js']))
})

const checks = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
}
const strict = { strict: true, noEmit: true, types: [], skipLibCheck: false, ...checks }

/** The compiler, as applications have it: its oldest version that the library supports, and this repository's. */
const compilers = {
  '5.4': () => join(dirname(fileOfPackage('typescript/package.json')), 'bin/tsc'),
  '7': () => join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc'),
} as const

test.each([
  ['5.4', 'node16', 'node16', ['es2022']],
  ['5.4', 'esnext', 'bundler', ['es2022']],
  ['7', 'node16', 'node16', ['es2022', 'dom']],
  ['7', 'esnext', 'bundler', ['es2022', 'dom']],
] as const)(
  'an application compiles with TypeScript %s, module %s and resolution %s',
  async (version, module, moduleResolution, lib) => {
    const tsc = compilers[version]()
    expect((await run([tsc, '--version'])).stdout).toContain(`Version ${version}.`)
    const config = `tsconfig-${version}-${moduleResolution}.json`
    const compilerOptions = { ...strict, module, moduleResolution, target: 'es2022', lib }
    directory.write(config, { compilerOptions, files: ['application.ts'] })
    const { code, stdout, stderr } = await run([tsc, '-p', config], { cwd: directory.path })
    expect(code === 0 ? '' : stdout + stderr).toBe('')
  },
)

test('an editor shows the clouds that can be selected, and the text of each variable and field', () => {
  expect(types).toMatch(/type CloudName = 'platform-commercial' \| [^;]+'platformstack-custom';/)
  for (const { name } of libraryRows) expect(types).toMatch(new RegExp(`\\*/\\n +readonly ${name}\\?: `))
  for (const { path, description } of fields.filter((row) => !row.path.includes('.')))
    expect([path, types.includes(`/** ${description}`)]).toEqual([path, true])
})
