import { readFileSync } from 'node:fs'
import type { CloudProfile } from '../../src/lib/clouds/cloud-profile.ts'

/** The unchecked content of the file. A service has resolved its profile before its first token, so that time doesn't count. */
export function readProfile(): CloudProfile {
  return JSON.parse(readFileSync(process.env['CUSTOM_CLOUD_PROFILE_PATH'] ?? '', 'utf8')) as CloudProfile
}
