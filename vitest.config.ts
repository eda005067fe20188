import { defineConfig } from 'vitest/config'
import { everyRun } from './test/support/every-run.ts'
import { exhaustiveTests } from './test/support/exhaustive-tests.ts'
import { ProcessesFirst } from './test/support/processes-first.ts'

/** They ask for a managed identity, whose endpoint the library keeps for the process. test/support/shared-process.ts finds a file that is missing here. */
const managedIdentity = [
  'test/lib/auth/credential.test.ts',
  'test/lib/auth/deadline.test.ts',
  'test/lib/diagnostics/names-of-object.test.ts',
  'test/lib/diagnostics/recovery.test.ts',
]

/**
 * Rooms whose tests leave nothing behind in the process, so that their files can share one: to start one, and to import the sources again,
 * takes half a second of CPU time a file. The emulator registers functions once for each process.
 */
const sharing = ['cli', 'enclave', 'interop', 'lib', 'page', 'routes', 'server'].map(
  (room) => `test/${room}/**/*.test.ts`,
)

export default defineConfig({
  test: {
    ...everyRun,
    // Other commands run them: `npm run test:release` makes whole releases, `npm run test:deploy` needs tools of others,
    // `npm run test:networks` network namespaces, `npm run test:windows` Wine, and
    // `npm run test:exhaustive` minutes.
    exclude: ['test/release/**', 'test/deploy/**', 'test/networks/**', 'test/windows/**', ...exhaustiveTests],
    // Much of a run is waiting for sockets, processes and a browser, so more files at once than cores pay off. With ten it takes a quarter longer.
    maxWorkers: 5,
    sequence: { sequencer: ProcessesFirst },
    globalSetup: ['test/support/global-setup.ts'],
    projects: [
      { extends: true, test: { name: 'scan', include: ['packages/scan/test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'sharing',
          include: sharing,
          exclude: managedIdentity,
          isolate: false,
          setupFiles: ['test/support/shared-process.ts'],
        },
      },
      { extends: true, test: { name: 'managed-identity', include: managedIdentity } },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: sharing } },
    ],
  },
})
