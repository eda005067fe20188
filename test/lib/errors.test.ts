import { createRequire } from 'node:module'
import { join } from 'node:path'
import { inspect } from 'node:util'
import * as esbuild from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildModules } from '../../scripts/build/build-library.ts'
import * as metadata from '../../src/lib/discovery.ts'
import { setFix, showInStack } from '../../src/lib/errors.ts'
import * as library from '../../src/lib/index.ts'
import { NetworkError } from '../../src/lib/transport/network-error.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { ServiceError } = library
const temp = useTemporaryDirectory()
const profile = library.resolveCloudProfile({ env: {} })
const secretMissing = { AUTH_MODE: 'clientSecret', PLATFORM_TENANT_ID: 'contoso.test' }

/** Arguments that fail, and words of the fix. An error of the catalog, where the function can throw one. */
const failures: Readonly<Record<string, readonly [args: readonly unknown[], fix: RegExp]>> = {
  scopeFor: [['https://a.example'], /^Pass an audience/],
  resourceManagerUrl: [[profile, '//elsewhere.example'], /^Pass a relative path/],
  metadataUrl: [['file:///'], /^Pass an absolute http or https URL/],
  finding: [['NO_CODE'], /^Pass a code of the findings/],
  serviceUrl: [[{ ...profile, services: {} }, 'kusto', 'name'], /add services\.kusto to a profile file/],
  resolveCloudProfile: [[{ name: 'nowhere', env: {} }], /options\.name/],
  explainCloudProfile: [[{ customProfilePath: '/nonexistent.json', env: {} }], /^Correct the path/],
  parseCloudProfile: [[{}], /^Correct each field/],
  resolveAuthMode: [[{ AUTH_MODE: 'magic' }], /^Correct or remove the variable/],
  createCredentialPlan: [[profile, secretMissing], /PLATFORM_CLIENT_ID/],
  createCredential: [[{}], /^Pass the result of createCredentialPlan/],
  resolveCloud: [[{ env: secretMissing }], /PLATFORM_CLIENT_ID/],
  parseCloudMetadata: [[{}, 'https://management.a.example/'], /metadataEndpoint/],
  discoveredScope: [[profile, { audiences: ['https://elsewhere.example/'] }], /metadataEndpoint/],
  discoverCloud: [[{ ...profile, metadataEndpoint: undefined }, { env: {} }], /^Add metadataEndpoint/],
}

const scope = 'https://management.secret.placeholder.invalid/.default'
/** A credential whose attempts fail before any request. */
const ofPlaceholder = async () => {
  const env = { ...secretMissing, PLATFORM_CLIENT_ID: 'id', PLATFORM_CLIENT_SECRET: 'x' }
  return (await library.resolveCloud({ cloud: 'platform-us-gov-secret', env })).credential
}
const reasonOf = (work: Promise<unknown>): Promise<unknown> => work.catch((thrown: unknown) => thrown)

/** They throw nothing. */
const safe = new Set(['ServiceError', 'shouldDisableInstanceDiscovery', 'isServiceError'])
const functions = Object.entries({ 'lib/index.js': library, 'lib/metadata.js': metadata }).flatMap(
  ([entry, exported]) =>
    Object.entries<unknown>(exported)
      .filter(([name, value]) => typeof value === 'function' && !safe.has(name))
      .map(([name]) => [name, entry] as const),
)

const application = (contents: string) =>
  ({ stdin: { contents, resolveDir: temp.path }, bundle: true, platform: 'node', logLevel: 'silent' }) as const

/** The one function as an application gets it that imports nothing else and bundles itself. */
async function bundledAlone(name: string, entry: string): Promise<(...args: readonly unknown[]) => unknown> {
  const outfile = join(temp.path, `${name}.cjs`)
  await esbuild.build({ ...application(`export { ${name} } from './${entry}'`), format: 'cjs', outfile })
  const { [name]: found } = createRequire(import.meta.url)(outfile) as Record<string, never>
  return found as unknown as () => unknown
}

// As in the package: a bundler drops every file that an application doesn't use.
beforeAll(async () => {
  temp.write('package.json', { type: 'module', sideEffects: false })
  await buildModules(temp.path)
})

describe('A ServiceError of the library', () => {
  test.each(functions)('has a fix where an application bundles %s of %s alone', async (name, entry) => {
    const call = await bundledAlone(name, entry)
    const [args, fix] = failures[name] ?? []
    const error = await reasonOf((async () => call(...(args ?? [])))())
    expect(error).toMatchObject({ name: 'ServiceError', code: /^[A-Z_]+$/, fix })
  })

  test('of a token has a fix, and the variable that it changes', async () => {
    expect(await reasonOf((await ofPlaceholder()).getToken(scope))).toMatchObject({
      code: 'PLACEHOLDER_PROFILE',
      fix: /^Get the values from the cloud operator/,
    })
    const env = { ...secretMissing, PLATFORM_CLIENT_SECRET: 'x' }
    expect(await reasonOf(library.resolveCloud({ env }))).toMatchObject({
      fix: 'Set PLATFORM_CLIENT_ID, or choose another AUTH_MODE.',
      change: { variable: 'PLATFORM_CLIENT_ID' },
    })
  })

  test('is one for every copy of the library, and its subclasses are not', async () => {
    for (const format of ['cjs', 'esm'] as const) {
      const outfile = join(temp.path, `copy.${format === 'cjs' ? 'cjs' : 'mjs'}`)
      await esbuild.build({ ...application("export * from './lib/index.js'"), format, outfile })
      const copy = (await import(outfile)) as typeof library
      const error = await reasonOf(copy.resolveCloud({ cloud: 'nowhere' as never }))
      expect(error).toBeInstanceOf(ServiceError)
      expect(library.isServiceError(error)).toBe(true)
      expect(new ServiceError('UNEXPECTED', 'x')).toBeInstanceOf(copy.ServiceError)
      expect(error).not.toBeInstanceOf(NetworkError)
    }
    expect([undefined, null, 'x', {}, new Error('x')].some(library.isServiceError)).toBe(false)
  })

  test('has no undefined property, is complete in JSON, and Node prints its fix', () => {
    const error = new NetworkError('AUTHORITY', 'THROTTLED', 'Too many requests', { retryAfterMs: 2000 })
    expect(Object.values(error)).not.toContain(undefined)
    expect(Object.keys(new NetworkError('AUTHORITY', 'RESET', 'x'))).toEqual(['code', 'role', 'fault'])
    setFix(error, { text: 'Wait.', change: { variable: 'PORT' } })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ServiceError',
      code: 'AUTHORITY_THROTTLED',
      message: 'Too many requests',
      fix: 'Wait.',
      change: { variable: 'PORT' },
      isTransient: true,
      retryAfterMs: 2000,
    })
    expect(error.stack).toMatch(/^ServiceError: Too many requests\n/)
    showInStack(error)
    expect(inspect(error)).toMatch(/^ServiceError \[AUTHORITY_THROTTLED\]: Too many requests\nFix: Wait\.\n {4}at /)
  })

  test('of a shared attempt is a new one for each caller, with the stack of the caller', async () => {
    const credential = await ofPlaceholder()
    const firstCaller = async () => await credential.getToken(scope)
    const secondCaller = async () => await credential.getToken(scope)
    const [first, second] = await Promise.all([reasonOf(firstCaller()), reasonOf(secondCaller())])
    expect(first).not.toBe(second)
    const callers = [first, second].map((error) => /firstCaller|secondCaller/.exec((error as Error).stack ?? '')?.[0])
    expect(callers).toEqual(['firstCaller', 'secondCaller'])
    expect(second).toMatchObject({ code: 'PLACEHOLDER_PROFILE', fix: /^Get the values/ })
  })

  test('of a canceled call is an AbortError', async () => {
    const error = await reasonOf((await ofPlaceholder()).getToken(scope, { abortSignal: AbortSignal.abort() }))
    expect(error).toMatchObject({ name: 'AbortError', code: 'TOKEN_CANCELLED' })
    expect(error).toBeInstanceOf(ServiceError)
    expect(library.isServiceError(error)).toBe(true)
  })

  test('scopeFor alone contains no catalog', async () => {
    const alone = application("export { scopeFor } from './lib/index.js'")
    const { outputFiles } = await esbuild.build({ ...alone, minify: true, format: 'esm', write: false })
    expect(outputFiles[0]?.text).not.toContain('PLATFORM_CLIENT_SECRET')
    expect(outputFiles[0]?.contents.length).toBeLessThan(5_000)
  })

  test.each([
    [new NetworkError('AUTHORITY', 'TIMEOUT', 'm'), true],
    [new NetworkError('SERVICE', 'THROTTLED', 'm'), true],
    [new NetworkError('AUTHORITY', 'UNTRUSTED', 'm'), false],
    [new ServiceError('TOKEN_TIMEOUT', 'm'), true],
    [new ServiceError('TOKEN_REJECTED', 'm', { evidence: { error: 'temporarily_unavailable' } }), true],
    [new ServiceError('CLIENT_SECRET_INVALID', 'm', { evidence: { error: 'invalid_client' } }), false],
  ])('$code is transient: %j', (error, isTransient) => {
    expect(error.isTransient).toBe(isTransient)
  })
})

test('A foreign cause is reduced to its kind and code, through every cause, and ours passes unchanged', () => {
  const request = { body: 'client_secret=hunter2', headers: { authorization: 'Bearer hunter2' } }
  const inner = Object.assign(new Error('said hunter2'), { code: 'ECONNRESET', request, stack: 'hunter2' })
  const outer = Object.assign(new TypeError('quoted hunter2', { cause: inner }), { response: { body: 'hunter2' } })
  for (const cause of [inner, outer, new AggregateError([outer], 'hunter2'), { request }, 'hunter2']) {
    const error = new ServiceError('UNEXPECTED', 'It failed', { cause })
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('hunter2')
  }
  const { cause } = new ServiceError('UNEXPECTED', 'It failed', { cause: outer })
  expect(cause).toMatchObject({ name: 'TypeError', cause: { name: 'Error', code: 'ECONNRESET' } })
  const ours = new ServiceError('EGRESS_BLOCKED', 'refused')
  expect(new ServiceError('UNEXPECTED', 'It failed', { cause: ours }).cause).toBe(ours)
})
