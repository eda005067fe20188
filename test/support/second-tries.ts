import type { Reporter } from 'vitest/node'

/** Names at the end of a run with `--retry` the tests that passed only when they were tried again. */
export class SecondTries implements Reporter {
  readonly onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules) => {
    for (const { moduleId, children } of modules)
      for (const test of children.allTests('passed'))
        if (test.diagnostic()?.flaky === true)
          process.stdout.write(`Passed only at the second try: ${moduleId}: ${test.fullName}\n`)
  }
}
