import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getLibFiles, ts } from '@ts-morph/common'
import { beforeAll, describe, expect, test } from 'vitest'
import { fields } from '../../src/lib/profile/field-path.ts'
import { settingRows } from '../../src/lib/settings/setting-table.ts'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

// docs/reference/api.d.ts is the type file of the package, which `npm run check` keeps equal to the sources.

const directory = useTemporaryDirectory()
const { run } = useProcesses()
const declarations = readFileSync(join(repository, 'docs/reference/api.d.ts'), 'utf8')
const testing = readFileSync(join(repository, 'docs/reference/api-testing.d.ts'), 'utf8')

const application = `
import {
  createCredential, createCredentialPlan, discoveredScope, resolveCloud, resolveCloudProfile, ServiceError,
  type Cloud, type CloudMetadata, type CloudProfile, type CredentialSettings, type Env, type ErrorCode, type GetTokenOptions, type LogEvent,
} from 'cloud-profile-service'
import { startEnclave, type Enclave } from 'cloud-profile-service/testing'

declare const processEnvironment: { [name: string]: string | undefined; TZ?: string | undefined }
declare const metadata: CloudMetadata
declare const abortSignal: NonNullable<GetTokenOptions['abortSignal']>

export async function main(): Promise<void> {
  const profile: CloudProfile = resolveCloudProfile({ name: 'platform-commercial', env: processEnvironment })
  const settings: CredentialSettings = { mode: 'clientSecret', clientId: 'c', clientSecret: 's' }
  const plan = createCredentialPlan(profile, settings)
  createCredentialPlan(profile, { mode: 'clientSecret', clientId: 'c', clientSecretPath: '/s' })
  createCredentialPlan(profile, { mode: 'default', passwordPath: '/s' })
  createCredentialPlan(profile, processEnvironment)
  createCredentialPlan(profile, { ...processEnvironment, AUTH_MODE: 'managedIdentity', https_proxy: 'http://p.test' })
  const log = ({ event, code }: LogEvent): void => void [event, code]
  const credential = await createCredential(plan, { timeoutMs: 2000, log, onDeviceCode: ({ userCode }) => void userCode })
  const { token } = await credential.getToken(discoveredScope(profile, metadata), { abortSignal })
  const cloud: Cloud = await resolveCloud({ credential: { mode: 'managedIdentity' }, discoverAudience: true })
  const { url, scope }: { url: string; scope: string } = cloud.service('storage', token)
  const audience: string | undefined = cloud.service('sqlServer', url + scope).audience
  const options: { endpoint?: string; credentials?: { scopes?: string[] } } = cloud.resourceManager.clientOptions
  const codes: ErrorCode[] = ['TOKEN_CANCELLED']
  const env: Env = { PLATFORM_CLOUD: 'platform-commercial', ANOTHER_VARIABLE: 'x' }
  const enclave: Enclave = await startEnclave({ mode: 'deviceCode', faults: [{ fault: { kind: 'silent' } }] })
  await enclave.setFault({ kind: 'aadsts', number: 50049 }, 'login/token')
  await resolveCloud({ env: enclave.environment })
  void [audience, options, codes, env, ServiceError]

  const wrong = { cluod: 'platform-commercial', env }
  // @ts-expect-error a misspelled option, in a variable
  await resolveCloud(wrong)
  await resolveCloud({ cloud: processEnvironment['CLOUD'], profile, credential })
  // @ts-expect-error a wrong key
  createCredentialPlan(profile, { mode: 'clientSecret', clientId: 'c', clientSecret: 's', clientSecre: 's' })
  // @ts-expect-error a missing key
  createCredentialPlan(profile, { mode: 'clientSecret', clientId: 'c' })
  // @ts-expect-error a secret beside the path of its file
  createCredentialPlan(profile, { mode: 'usernamePassword', clientId: 'c', username: 'u', password: 'p', passwordPath: '/p' })
  // @ts-expect-error and for the default chain
  createCredentialPlan(profile, { mode: 'default', clientSecret: 's', clientSecretPath: '/s' })
  // @ts-expect-error the path of a file that another mode reads
  createCredentialPlan(profile, { mode: 'clientCertificate', clientId: 'c', clientCertificatePath: '/p', clientSecretPath: '/s' })
  // @ts-expect-error the name of a key of another mode
  createCredentialPlan(profile, { mode: 'managedIdentity', clientSecret: 's' })
  // @ts-expect-error a frequent mistake
  createCredentialPlan(profile, { authMode: 'clientSecret', clientId: 'c' })
  // @ts-expect-error a variable is in upper case
  resolveCloudProfile({ env: { platformCloud: 'x' } })
  // @ts-expect-error a SQL server has no audience in a profile
  cloud.service('sqlServer', 'x').scope.length
  // @ts-expect-error an unknown code
  codes.push('NO_SUCH_CODE')
  // @ts-expect-error an unknown fault
  await enclave.setFault({ kind: 'nope' })
}
`

beforeAll(() => {
  const entry = (name: string) => ({ types: `./dist/${name}/index.d.ts`, default: `./dist/${name}/index.js` })
  const exports = { '.': entry('lib'), './testing': entry('testing') }
  const root = 'node_modules/cloud-profile-service'
  directory.write(`${root}/package.json`, { name: 'cloud-profile-service', type: 'module', exports })
  directory.write(`${root}/dist/lib/index.d.ts`, declarations)
  directory.write(`${root}/dist/testing/index.d.ts`, testing)
  directory.write('package.json', { type: 'module' })
  directory.write('application.ts', application)
})

test('the types of the library are at most 720 lines, without the tables they derive from', () => {
  expect(declarations.split('\n').length).toBeLessThanOrEqual(720)
  expect(declarations).not.toMatch(/zod|Symptom =\s*'/i)
})

const strict = {
  strict: true,
  noEmit: true,
  types: [],
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
}

/** TypeScript 5.4 comes without a compiler under its name, and with its library in memory. */
function compileWithOldest(options: ts.CompilerOptions): string {
  for (const { fileName, text } of getLibFiles()) directory.write(`lib/${fileName}`, text)
  const host = ts.createCompilerHost(options)
  host.getDefaultLibLocation = () => join(directory.path, 'lib')
  host.getDefaultLibFileName = () => join(directory.path, 'lib/lib.es2022.d.ts')
  const program = ts.createProgram([join(directory.path, 'application.ts')], options, host)
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), host)
}

test.each([
  ['node16', ts.ModuleKind.Node16, ts.ModuleResolutionKind.Node16],
  ['bundler', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
] as const)('an application compiles with TypeScript 5.4 and resolution %s', (_name, module, moduleResolution) => {
  expect(ts.versionMajorMinor).toBe('5.4')
  const lib = ['lib.es2022.d.ts']
  expect(compileWithOldest({ ...strict, module, moduleResolution, target: ts.ScriptTarget.ES2022, lib })).toBe('')
})

test.each([
  ['node16', 'node16'],
  ['esnext', 'bundler'],
])('an application compiles with TypeScript 7, module %s and resolution %s', async (module, moduleResolution) => {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  const compilerOptions = { ...strict, module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom'] }
  const config = `tsconfig-${moduleResolution}.json`
  directory.write(config, { compilerOptions, files: ['application.ts'] })
  const { code, stdout, stderr } = await run([tsc, '-p', config], { cwd: directory.path })
  expect(code === 0 ? '' : stdout + stderr).toBe('')
})

describe('An editor shows', () => {
  const file = () => join(directory.path, 'editor.ts')
  const text = `
import { resolveCloudProfile, type CloudProfile, type Env } from 'cloud-profile-service'
resolveCloudProfile({ name: '' })
const env: Env = { P }
declare const profile: CloudProfile
profile.authorityHost
env.PLATFORM_TOKEN_TIMEOUT_MS
`
  let service: ts.LanguageService
  beforeAll(() => {
    directory.write('editor.ts', text)
    const options: ts.CompilerOptions = {
      strict: true,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: [],
    }
    service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [file()],
      getScriptVersion: () => '1',
      getScriptSnapshot: (name) => {
        const content = ts.sys.readFile(name)
        return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
      },
      getCurrentDirectory: () => directory.path,
      getDefaultLibFileName: () => join(directory.path, 'lib/lib.es2022.d.ts'),
      fileExists: (name) => ts.sys.fileExists(name),
      readFile: (name) => ts.sys.readFile(name),
      directoryExists: (name) => ts.sys.directoryExists(name),
    })
  })
  const completionsAfter = (before: string) =>
    service.getCompletionsAtPosition(file(), text.indexOf(before) + before.length, {})?.entries.map(({ name }) => name)
  const hoverOf = (word: string) =>
    ts.displayPartsToString(service.getQuickInfoAtPosition(file(), text.lastIndexOf(word))?.documentation)

  test('the built-in profiles for `name`', () => {
    expect(completionsAfter("name: '")).toEqual(
      expect.arrayContaining(['platform-commercial', 'platform-us-government', 'platformstack-custom']),
    )
  })

  test('every variable for `env`', () => {
    expect(completionsAfter('{ P')).toEqual(expect.arrayContaining(settingRows.map(({ name }) => name)))
  })

  test('the text of a field and of a setting', () => {
    const authorityHost = fields.find(({ path }) => path === 'authorityHost')
    expect(hoverOf('authorityHost')).toBe(authorityHost?.facts.description)
    expect(hoverOf('PLATFORM_TOKEN_TIMEOUT_MS')).toMatch(/Deadline of one token attempt.*Default: 10000\./)
  })
})
