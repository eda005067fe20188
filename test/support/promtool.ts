import { spawnSync } from 'node:child_process'

const probe = spawnSync('promtool', ['--version'], { encoding: 'utf8' })

/** Whether the checker of Prometheus is on this machine (Debian: the package prometheus). */
export const hasPromtool = probe.status === 0
if (!hasPromtool) process.stderr.write('promtool is not in PATH: its checks of metrics and alert rules are skipped\n')

/** Runs promtool. @returns What it says when it is not content, else an empty text. */
export function promtool(args: readonly string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
  })
  return status === 0 ? '' : `${stdout}${stderr}` || `promtool ended with ${status}`
}
