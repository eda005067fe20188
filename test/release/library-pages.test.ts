import { readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { VERSION } from '../../src/lib/settings/version.ts'
import { useProcesses, type Ended } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { fileOfPackage } from '../support/some-packages.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

// The examples of docs/library.md and docs/testing.md, from the tarball of the release, installed offline.

const app = useTemporaryDirectory()
const running = useEnclave({ localServices: true })
const { run, start } = useProcesses()
const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')

/** The example below a heading of a page. */
function exampleOf(page: string, heading: string): string {
  const [, section = ''] = readFileSync(join(repository, 'docs', page), 'utf8').split(`# ${heading}\n`)
  return /^[^#]*?```ts\n(.*?)```/s.exec(section)?.[1] ?? ''
}

/** What each example prints, by its heading in docs/library.md. */
const outputs: Readonly<Record<string, RegExp>> = {
  'Resolve the cloud and get a token': /^Loopback enclave: token until \d{4}-.*Z\n$/,
  Services: /^example\nexample\n$/,
  'Choose the cloud in code': /mynamespace\.servicebus\.windows\.net\n$/,
  'A credential from your code': /^function true\n$/,
  'Call services on behalf of a user': /^$/,
  'In a function app, and in worker threads': /^$/,
  'Validate incoming tokens': /^\[[^]*\]\nhttps:\/\/localhost:\d+\/\S+\/discovery\/v2\.0\/keys \[/,
  'Resource manager by HTTP': /^200\n$/,
  'Management clients': /^[0-9a-f-]{36}\n$/,
  'Settings in code': /^3\n$/,
  'Sign-in by device code': /^Open https:\/\/\S+ and enter \S+\n3\n$/,
  'Deadline and cancellation': /^TOKEN_CANCELLED\n$/,
  Log: /^\{"event":"token","profile":"enclave",.*"durationMs":\d+,"level":"info","status":"acquired"\}\n$/,
  Errors: /\(RESOURCE_UNKNOWN\): /,
  'Ask the live cloud': /^https:\/\/localhost:\d+\/ 3\n$/,
  'Private certificate authority': /^$/,
}
const headings = Object.keys(outputs)
const fileOf = (heading: string) => `${heading.toLowerCase().replaceAll(' ', '-')}.ts`
const failureOf = ({ code, stdout, stderr }: Ended) => (code === 0 ? '' : stdout + stderr)

beforeAll(async () => {
  const tarballs = ['cloud-profile-service', 'cloud-profile-enclave'].map((name) =>
    join(inject('releases').clones[0], `dist/release/${name}-${VERSION}.tgz`),
  )
  app.write('package.json', { type: 'module', private: true })
  const install = ['install', '--offline', '--no-audit', '--cache', join(app.path, 'empty-cache'), ...tarballs]
  const failure = failureOf(await run(install, { cwd: app.path, command: 'npm' }))
  if (failure !== '') throw new Error(`npm install: ${failure}`)
  // The SDKs of the examples and the types of Node are the application's own packages.
  for (const name of ['@azure', '@types', 'jose'])
    symlinkSync(join(repository, 'node_modules', name), join(app.path, 'node_modules', name), 'dir')
  for (const heading of headings) app.write(fileOf(heading), exampleOf('library.md', heading))
  app.write('testing.test.ts', exampleOf('testing.md', 'Tests against the enclave'))
})

test('every example of the page is run', () => {
  const page = readFileSync(join(repository, 'docs/library.md'), 'utf8')
  expect(page.match(/```ts/g)).toHaveLength(headings.length)
  expect(headings.filter((heading) => exampleOf('library.md', heading) === '')).toEqual([])
})

const resolutions = { node16: 'node16', nodenext: 'nodenext', esnext: 'bundler' } as const
const compilations = Object.entries({ '5.9': fileOfPackage('typescript-5.9/bin/tsc'), '7': tsc }).flatMap(
  ([version, compiler]) => Object.entries(resolutions).map((each) => [version, ...each, compiler] as const),
)

/** What an application in CommonJS imports, and a code that does not exist. */
const commonJs = `import { isServiceError, resolveCloud, ServiceError } from 'cloud-profile-service'
import { discoverCloud } from 'cloud-profile-service/metadata'
import { startEnclave } from 'cloud-profile-enclave'
export const used = [isServiceError, resolveCloud, discoverCloud, startEnclave]
// @ts-expect-error no code
export const error = new ServiceError('NO_CODE', 'x')
`

const strict = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'esnext.disposable', 'dom'],
  types: ['node'],
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  moduleDetection: 'force',
}

test.each(compilations)(
  'all compile with TypeScript %s, module %s and resolution %s',
  async (version, module, moduleResolution, compiler) => {
    app.write('common.cts', commonJs)
    const include = moduleResolution === 'bundler' ? ['*.ts'] : ['*.ts', '*.cts']
    const compilerOptions = { ...strict, module, moduleResolution }
    const project = app.write(`${version}-${module}.json`, { compilerOptions, include })
    const { stdout, stderr } = await run([compiler, '-p', project], { cwd: app.path })
    // The types of this package are invalid in CommonJS under node16.
    const lines = (stdout + stderr).split('\n').filter((line) => !/^$|node_modules.@azure.msal-node/.test(line))
    expect(lines).toEqual([])
  },
)

describe('docs/library.md', () => {
  test.each(headings)('%s: the example runs', async (heading) => {
    const { cloud, files } = running
    const env = {
      ...cloud.environment('clientSecret', files),
      STORAGE_URL: cloud.storageEndpoint,
      KEY_VAULT_URL: cloud.vaultEndpoint,
      APPLICATION_ID: cloud.clientId,
      APPLICATION_SECRET: cloud.clientSecret,
    }
    const example = start([fileOf(heading)], { cwd: app.path, env })
    if (heading.includes('device code')) {
      const [, userCode = ''] = await example.printed(/ enter (\S+)\n/)
      cloud.approveDeviceCode(userCode)
    }
    const ended = await example.ended
    expect(failureOf(ended)).toBe('')
    expect(ended.stdout).toMatch(outputs[heading] ?? /^$/)
  })
})

test('docs/testing.md: the example runs', async () => {
  const ended = await run(['--test', 'testing.test.ts'], { cwd: app.path })
  expect(failureOf(ended)).toBe('')
  expect(ended.stdout).toMatch(/pass 3\n/)
})
