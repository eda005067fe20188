import { spawnSync } from 'node:child_process'
import { missing } from './missing.ts'

/** The checker of Prometheus (Debian: the package prometheus). */
export const withoutPromtool = missing('promtool', '--version')

/** Runs promtool. @returns What it says when it is not content, else an empty text. */
export function promtool(args: readonly string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
  })
  return status === 0 ? '' : `${stdout}${stderr}` || `promtool ended with ${status}`
}
