import { availableParallelism, loadavg } from 'node:os'
import { cleanEnvironment } from './clean-environment.ts'
import { runProcess } from './processes/run-process.ts'

const starts = 9
/** Slower quarter over faster quarter of the starts of Node. On a quiet machine it is at most 1.15. */
const mostSpread = 1.4

/** Why the figures of this moment don't count: other work on this machine. `undefined` on a quiet machine. */
export async function otherLoad(): Promise<string | undefined> {
  const durations: number[] = []
  for (let index = 0; index < starts; index++) {
    durations.push((await runProcess(['-e', '0'], cleanEnvironment())).duration)
  }
  durations.sort((a, b) => a - b)
  const spread = (durations.at(-3) ?? 0) / (durations[2] ?? 1)
  const [load = 0] = loadavg()
  // The benchmarks keep one or two processors busy themselves.
  if (load <= availableParallelism() + 1 && spread <= mostSpread) return undefined
  return `load average ${load.toFixed(1)} on ${availableParallelism()} processors, starts of Node differ by ${spread.toFixed(1)}`
}
