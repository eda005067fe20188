import type { Env } from '../lib/base/env.ts'
import { readSetting } from '../lib/settings/setting.ts'
import { settingTable } from '../lib/settings/setting-table.ts'
import { longestAnswerMs } from '../lib/transport/attempt.ts'

/**
 * Milliseconds of one query of a cloud's metadata, as the service allows them: one setting is enough for a slow link.
 *
 * @throws {ServiceError} `SETTING_INVALID` for an invalid PLATFORM_TOKEN_TIMEOUT_MS.
 */
export function metadataTimeout(env: Env): number {
  return longestAnswerMs(readSetting(env, settingTable.tokenTimeoutMs))
}
