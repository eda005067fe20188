import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The processes below one, children first. */
export function descendantsOf(pid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { encoding: 'utf8' })
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const below = (parent: number): number[] =>
    rows.flatMap(([child = 0, of]) => (of === parent ? [child, ...below(child)] : []))
  return below(pid)
}

/** Resolves when none of the processes exists any more; rejects after minutes with those that do, and ends them. */
export async function allGone(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + 200_000
  while (pids.some(isAlive) && Date.now() < deadline) await sleep(20)
  const left = pids.filter(isAlive)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  if (left.length > 0) throw new Error(`Still running: ${left.join(', ')}`)
}

/** A process that ended but that nobody has reaped yet (a container may have no init that does) counts as ended. */
export function isAlive(pid: number): boolean {
  const status = `/proc/${pid}/status`
  try {
    process.kill(pid, 0)
    return !existsSync(status) || !/^State:\s+[ZX]/m.test(readFileSync(status, 'utf8'))
  } catch {
    return false
  }
}
