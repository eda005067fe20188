import type { Instance } from '../lib/diagnostics/report.ts'
import { plainText } from './shown-text.ts'

/** Which process this is, for people: two screens of two processes must differ. */
export function instanceName({ hostName, id }: Instance): string {
  return [plainText(hostName, 100), ...(id === undefined ? [] : [`instance ${plainText(id, 60)}`])].join(' ')
}
