import { setTimeout as sleep } from 'node:timers/promises'
import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { ServiceError } from '../errors.ts'
import { valueAt } from '../base/json.ts'
import { withoutHidden } from '../base/printable.ts'

/** Seconds between two polls. The default is that of RFC 8628, section 3.2. */
const interval = { default: 5, min: 1, max: 60 } as const
/** Seconds. A timer cannot wait longer. */
const maxLifetime = 2_147_483
/** Milliseconds that `slow_down` adds to the interval (RFC 8628, section 3.5). */
const slowDownMs = 5000

/**
 * Completes the response of a device code endpoint. The library polls without a pause if `interval` is missing or tiny, and terminals and
 * pages show its texts.
 *
 * @throws {ServiceError} `DEVICE_CODE_RESPONSE_INVALID` that names the missing fields.
 */
export function readDeviceCodeResponse(body: unknown, { host }: URL): object {
  const text = (name: string, maxLength: number) => {
    const value = valueAt(body, name)
    return typeof value === 'string' ? withoutHidden(value, maxLength).trim() : ''
  }
  const deviceCode = valueAt(body, 'device_code')
  const found = {
    user_code: text('user_code', 64),
    device_code: typeof deviceCode === 'string' ? deviceCode : '',
    verification_uri: addressOf(text('verification_uri', 2048)),
    expires_in: Math.min(numberAt(body, 'expires_in') ?? 0, maxLifetime),
  }
  const missing = Object.entries(found).filter(([, value]) => value === '' || value === 0)
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(', ')
    throw new ServiceError('DEVICE_CODE_RESPONSE_INVALID', `${host} started the sign-in without ${names}`)
  }
  const seconds = numberAt(body, 'interval') ?? interval.default
  return { ...found, interval: Math.min(Math.max(seconds, interval.min), interval.max), message: '' }
}

/** The library takes `slow_down` for a failure, so it gets "authorization pending" after the longer interval. */
export async function waitToSlowDown(
  response: PipelineResponse,
  body: unknown,
  signal?: AbortSignal,
): Promise<PipelineResponse> {
  if (valueAt(body, 'error') === 'slow_down') await sleep(slowDownMs, undefined, signal === undefined ? {} : { signal })
  return { ...response, bodyAsText: JSON.stringify({ error: 'authorization_pending' }) }
}

/** An http or https address. User info could be mistaken for its host. */
function addressOf(text: string): string {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === '' ? url.href : ''
}

function numberAt(body: unknown, name: string): number | undefined {
  const found = valueAt(body, name)
  const value = typeof found === 'string' || typeof found === 'number' ? Number(found) : Number.NaN
  return Number.isFinite(value) && value > 0 ? value : undefined
}
