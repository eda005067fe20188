import { createBatchScanner, type BatchResults, type BatchSettings } from './scan-batch.ts'
import { startScanThread, type ScanThread } from './scan-thread.ts'

/** A program of a quarter of a megabyte takes the slowest grammar 2 s on a busy machine. */
const limitMs = 10_000

/** A tree with more files that stop the parser is hostile: each takes up to the whole limit. */
const mostFailures = 5

/**
 * Scans files that need a grammar, each with a limit: some texts take a parser gigabytes and minutes. Without its constructs, such a file is
 * scanned all the same.
 */
export function createParsingThread(settings: Omit<BatchSettings, 'grammars'>) {
  let thread: ScanThread | undefined
  let failures = 0
  const scanUnparsed = (reason: string, path: string) =>
    createBatchScanner({ ...settings, grammars: { failure: `${reason}: constructs not checked` } })([path])

  return {
    async scan(path: string): Promise<BatchResults> {
      if (failures >= mostFailures) return scanUnparsed(`${mostFailures} other files stopped the parser`, path)
      thread ??= startScanThread({ ...settings, grammars: 'load' })
      try {
        return await thread.scan([path], limitMs)
      } catch {
        failures += 1
        await thread.end()
        thread = undefined
        return scanUnparsed('the parser exceeded its time or memory', path)
      }
    },
    end: () => thread?.end(),
  }
}
