import type { Instance } from '../lib/diagnostics/report.ts'
import { plainText } from './shown-text.ts'

/** Where a process runs: a restart has the same name. */
export function instanceName({ hostName, id }: Instance): string {
  return [plainText(hostName, 100), ...(id === undefined ? [] : [`instance ${plainText(id, 60)}`])].join(' ')
}

/** Which process this is, with the label `process` of its metrics: two screens of two processes must differ. */
export function processName(instance: Instance): string {
  return `${instanceName(instance)} process ${plainText(instance.process, 20)}`
}
