import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { SkipReasons } from './test/support/skip-reasons.ts'

/** They request a managed identity. The credential library keeps its endpoint for the life of the process. */
const managedIdentity = [
  'test/lib/auth/credential.test.ts',
  'test/lib/auth/deadline.test.ts',
  'test/lib/diagnostics/recovery.test.ts',
]

/**
 * Folders whose test files share a process, because they leave nothing behind in it. A new process, with the sources imported again, costs
 * half a second of CPU time a file. The emulator isn't one of them: it registers functions once for each process.
 */
const shared = 'cli|functions|lib|page|server|tools'

/** Tests that take minutes: every combination of fault and credential, generated requests, random values, whole development commands. */
const exhaustive = [
  'test/architecture.test.ts',
  'test/scripts/dev.test.ts',
  'test/scripts/func.test.ts',
  'test/scripts/funcignore.test.ts',
  'test/scripts/generate.test.ts',
  'test/scripts/release/verify.test.ts',
  'test/cli/from-sources.test.ts',
  'test/azure-functions/build-beside.test.ts',
  'test/integration/contract.test.ts',
  'test/integration/tool-orphans.test.ts',
  'test/integration/without-development-packages.test.ts',
  'test/lib/library-types.test.ts',
  'test/page/page.property.test.ts',
  'test/security/egress/egress.test.ts',
  'test/security/expressions.test.ts',
  'test/security/leak/bundle.test.ts',
  'test/security/leak/echo.test.ts',
  'test/security/leak/leak-matrix.test.ts',
]

/** Tests with a real browser, release, deployment tool or network namespace, by folder. */
const folders = {
  release: ['test/release/make-releases.ts', 'test/support/some-packages.ts'],
  deploy: ['test/support/global-setup.ts', 'test/deploy/release.setup.ts'],
  networks: ['test/support/global-setup.ts'],
} as const

type TestOptions = NonNullable<TestProjectInlineConfiguration['test']>
const project = (name: string, test: TestOptions): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, ...test },
})

const built = { globalSetup: ['test/support/global-setup.ts'] }
const slow = [...Object.keys(folders).map((name) => `test/${name}/**`), 'test/browser/**', ...exhaustive]

const quick = {
  shared: project('shared', {
    ...built,
    include: ['packages/enclave/test/**/*.test.ts', `test/(${shared})/**/*.test.ts`],
    exclude: [...managedIdentity, ...slow],
    isolate: false,
    setupFiles: ['test/support/shared-process.ts'],
  }),
  isolated: project('isolated', {
    ...built,
    include: [...managedIdentity, `test/!(${shared})/**/*.test.ts`, 'test/*.test.ts'],
    exclude: slow,
  }),
}

const projects = {
  ...quick,
  exhaustive: project('exhaustive', {
    globalSetup: ['test/support/global-setup.ts', 'test/support/some-packages.ts'],
    include: [...exhaustive, 'test/browser/**/*.test.ts'],
  }),
  ...Object.fromEntries(
    Object.entries(folders).map(([name, setup]) => [
      name,
      project(name, { globalSetup: [...setup], include: [`test/${name}/**/*.test.ts`], exclude: exhaustive }),
    ]),
  ),
}

/** `npm test` names no project and runs the quick ones. */
const areNamed = process.argv.some((word) => word.startsWith('--project'))

export default defineConfig({
  test: {
    pool: 'forks',
    reporters: ['default', new SkipReasons()],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 300_000,
    // A limit for what hangs: a busy machine takes many times longer than a quiet one.
    expect: { poll: { timeout: 200_000 } },
    setupFiles: ['test/support/patterns.ts'],
    // Tests wait for sockets and processes most of the time, so more files at once than cores pay off.
    maxWorkers: 5,
    projects: Object.values(areNamed ? projects : quick),
  },
})
