import { join } from 'node:path'
import { repository } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import { runProcess } from './processes/run-process.ts'
import type { Row } from './row.ts'

const rounds = 20

/** `smoke-test --all` as a whole process, against a Node that does nothing. */
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
      note: 'Runs from the TypeScript sources, with what Node made of them in an earlier run, as the npm script does.',
    },
  ]
}
