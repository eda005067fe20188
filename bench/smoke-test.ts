import { join } from 'node:path'
import { repository } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import { runProcess } from './processes/run-process.ts'
import type { Row } from './row.ts'

const rounds = 20

/** Whole processes of `smoke-test --all`, against a Node that runs no code. */
export async function benchSmokeTest(): Promise<Row[]> {
  const run = async (...args: readonly string[]) => (await runProcess(args, cleanEnvironment())).duration
  const command = join(repository, 'src/cli/from-sources.js')
  const { smokeTest, nothing } = await interleave(rounds, {
    smokeTest: () => run(command, 'smoke-test', '--all'),
    nothing: () => run('-e', '0'),
  })
  return [
    {
      measure: 'smoke-test --all: whole process',
      value: median(smokeTest),
      unit: 'ms',
      reference: { name: 'node -e 0', value: median(nothing) },
      n: rounds,
      target: { atMost: 4 },
      note: 'Like the npm script, this runs the TypeScript sources with the compile cache of an earlier run.',
    },
  ]
}
