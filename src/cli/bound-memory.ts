import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of resident memory that need no attention: an idle server has half of it. */
const modest = 120 * 1024 * 1024
/** Milliseconds between two checks. */
const interval = 5000
/** Share of a processor beyond which the process is busy, and must not be stopped to collect garbage. */
const busy = 0.25

/**
 * Bounds what a flood of requests leaves behind in a process that serves for months:
 *
 * - The young generation of the heap stays at its first size. Otherwise it grows to 128 MB, which V8 keeps. Of V8's flags only this one
 *   works after the start; `node --max-semi-space-size` does the same.
 * - Once it is quiet again, garbage is collected if memory has grown by a third since. A quiet process allocates too little for V8 to do it.
 */
export function boundMemory(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  let needless = modest
  let before = process.cpuUsage()
  let isReleased = false
  const timer = setInterval(() => {
    const used = process.cpuUsage(before)
    before = process.cpuUsage()
    const resident = process.memoryUsage.rss()
    if (isReleased) needless = Math.max(modest, (resident * 4) / 3)
    isReleased = resident > needless && (used.user + used.system) / 1000 < interval * busy
    if (isReleased) collectGarbage()
  }, interval)
  timer.unref()
}

/** Node has this function only under a flag, which V8 takes at any time. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
}
