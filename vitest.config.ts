import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { ProcessesFirst } from './test/support/processes-first.ts'
import { SecondTries } from './test/support/second-tries.ts'
import { longestWait } from './test/support/longest-wait.ts'

/** They ask for a managed identity, whose endpoint the library keeps for the process. test/support/shared-process.ts finds a file that is missing here. */
const managedIdentity = [
  'test/lib/auth/credential.test.ts',
  'test/lib/auth/deadline.test.ts',
  'test/lib/diagnostics/recovery.test.ts',
]

/**
 * Rooms whose tests leave nothing behind in the process, so that their files can share one: to start one, and to import the sources again,
 * takes half a second of CPU time a file. The emulator registers functions once for each process.
 */
const sharing = ['cli', 'enclave', 'interop', 'lib', 'page', 'routes', 'server'].map(
  (room) => `test/${room}/**/*.test.ts`,
)

/**
 * Tests that try every combination of fault and credential, ask the server with generated requests, prove every regular expression, build
 * programs and pages from random values, run a development command as a whole, or ask a second time by other means what a shorter test asks
 * too. They take minutes.
 */
const exhaustive = [
  'packages/scan/test/compiled.test.ts',
  'packages/scan/test/hostile.test.ts',
  'test/architecture.test.ts',
  'test/scripts/dev.test.ts',
  'test/scripts/func.test.ts',
  'test/scripts/funcignore.test.ts',
  'test/scripts/generate.test.ts',
  'test/cli/commands/local-settings.test.ts',
  'test/scripts/package.test.ts',
  'test/scripts/release/verify.test.ts',
  'test/cli/from-sources.test.ts',
  'test/azure-functions/build-beside.test.ts',
  'test/integration/contract.test.ts',
  'test/integration/fix-loop.test.ts',
  'test/integration/tool-orphans.test.ts',
  'test/integration/without-development-packages.test.ts',
  'test/lib/auth/fault-matrix.test.ts',
  'test/lib/library-types.test.ts',
  'test/lib/profile/editor.test.ts',
  'test/page/page.property.test.ts',
  'test/security/egress/egress.test.ts',
  'test/security/expressions.test.ts',
  'test/security/leak/bundle.test.ts',
  'test/security/leak/echo.test.ts',
  'test/security/leak/leak-matrix.test.ts',
]

/** Its time limits are those of the product, on a link so slow that a busy machine exceeds them: no part of `.ci/run`. */
const slowLink = 'test/networks/slow-link.test.ts'

/** Tests with a real browser, release, tool of others, or namespace: each folder is a project. */
const folders = {
  browser: ['test/support/global-setup.ts', 'test/support/some-packages.ts'],
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
const others = [...Object.keys(folders).map((name) => `test/${name}/**`), ...exhaustive]

const projects = {
  sharing: project('sharing', {
    ...built,
    include: sharing,
    exclude: [...managedIdentity, ...others],
    isolate: false,
    setupFiles: ['test/support/shared-process.ts'],
  }),
  scan: project('scan', { include: ['packages/scan/test/**/*.test.ts'], exclude: exhaustive }),
  'managed-identity': project('managed-identity', { ...built, include: managedIdentity }),
  alone: project('alone', {
    ...built,
    include: ['test/**/*.test.ts'],
    exclude: [...sharing, ...others, '**/node_modules/**'],
  }),
  exhaustive: project('exhaustive', {
    globalSetup: ['test/support/global-setup.ts', 'test/support/some-packages.ts'],
    include: exhaustive,
  }),
  'slow-link': project('slow-link', { ...built, include: [slowLink] }),
  ...Object.fromEntries(
    Object.entries(folders).map(([name, setup]) => [
      name,
      project(name, {
        globalSetup: [...setup],
        include: [`test/${name}/**/*.test.ts`],
        exclude: [...exhaustive, slowLink],
      }),
    ]),
  ),
}

/** `npm test` names no project, and gets these. */
const areNamed = process.argv.some((word) => word.startsWith('--project'))
const quick = [projects.scan, projects.sharing, projects['managed-identity'], projects.alone]

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 300_000,
    expect: { poll: longestWait },
    setupFiles: ['test/support/patterns.ts'],
    reporters: ['default', new SecondTries()],
    // Much of a run is waiting for sockets and processes, so more files at once than cores pay off. With ten it takes a quarter longer.
    maxWorkers: 5,
    sequence: { sequencer: ProcessesFirst },
    projects: areNamed ? Object.values(projects) : quick,
  },
})
