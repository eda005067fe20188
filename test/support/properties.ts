import * as fc from 'fast-check'

/** `FUZZ_SECONDS=60 npm test -- property` takes other inputs for that long a property; FUZZ_SEED repeats the seed of a failure. */
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 0)
const seed = process.env['FUZZ_SEED']

fc.configureGlobal(
  seconds > 0
    ? {
        numRuns: Number.MAX_SAFE_INTEGER,
        interruptAfterTimeLimit: seconds * 1000,
        markInterruptAsFailure: false,
        reporter: report,
        ...(seed === undefined ? {} : { seed: Number(seed) }),
      }
    : { seed: 20_260_101, numRuns: 200 },
)

/** As the default, but a machine so busy that the time was over before the first input has found no counterexample. */
function report(details: fc.RunDetails<unknown>): void {
  const { failed, interrupted, counterexample, errorInstance } = details
  if (!failed) return
  if (!interrupted || counterexample !== null) {
    throw new Error(fc.defaultReportMessage(details), { cause: errorInstance })
  }
  process.stderr.write(`A property got no input within ${seconds} s: give it more minutes, or a less busy machine\n`)
}

export { fc }

/** For a property whose inputs are dear, such as a compiler's run: as many as `npm test` can afford, all that fuzzing can. */
export function few(numRuns: number): { readonly numRuns?: number } {
  return seconds > 0 ? {} : { numRuns }
}
