import { readFileSync } from 'node:fs'
import type { CloudProfile } from '../../src/lib/clouds/cloud-profile.ts'

/** The profile as its file has it. A service has resolved it long before its first token, so the token does not include it. */
export function readProfile(): CloudProfile {
  return JSON.parse(readFileSync(process.env['CUSTOM_CLOUD_PROFILE_PATH'] ?? '', 'utf8')) as CloudProfile
}
