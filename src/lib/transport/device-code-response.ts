import { setTimeout as sleep } from 'node:timers/promises'
import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { ServiceError } from '../errors.ts'
import { valueAt } from '../base/json.ts'
import { withoutHidden } from '../base/printable.ts'

/** Seconds between two polls where the authority names none (RFC 8628, section 3.2), and what may be made of an odd number. */
const interval = { unnamed: 5, least: 1, most: 60 } as const
/** Seconds that a timer can wait. */
const longestLifetime = 2_147_483
/** Milliseconds by which a flow that is told to slow down waits longer (RFC 8628, section 3.5). */
const slowDownMs = 5000

/**
 * The answer of a device code endpoint as the credential library and a person may have it: the library polls without a pause when
 * `interval` is missing or tiny, and texts are shown on terminals and pages.
 *
 * @throws {ServiceError} `DEVICE_CODE_RESPONSE_INVALID` that names what is missing.
 */
export function readDeviceCodeResponse(body: unknown, { host }: URL): object {
  const text = (name: string, longest: number) => {
    const value = valueAt(body, name)
    return typeof value === 'string' ? withoutHidden(value, longest).trim() : ''
  }
  const deviceCode = valueAt(body, 'device_code')
  const found = {
    user_code: text('user_code', 64),
    device_code: typeof deviceCode === 'string' ? deviceCode : '',
    verification_uri: addressOf(text('verification_uri', 2048)),
    expires_in: Math.min(numberAt(body, 'expires_in') ?? 0, longestLifetime),
  }
  const missing = Object.entries(found).filter(([, value]) => value === '' || value === 0)
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(', ')
    throw new ServiceError('DEVICE_CODE_RESPONSE_INVALID', `${host} started the sign-in without ${names}`)
  }
  const seconds = numberAt(body, 'interval') ?? interval.unnamed
  return { ...found, interval: Math.min(Math.max(seconds, interval.least), interval.most), message: '' }
}

/** The library knows how to wait, but takes the wish to be polled less often for a failure. */
export async function waitToSlowDown(
  response: PipelineResponse,
  body: unknown,
  signal?: AbortSignal,
): Promise<PipelineResponse> {
  if (valueAt(body, 'error') === 'slow_down') await sleep(slowDownMs, undefined, signal === undefined ? {} : { signal })
  return { ...response, bodyAsText: JSON.stringify({ error: 'authorization_pending' }) }
}

/** A person is sent there, so it is an address of the web and nothing else, without a user that could look like its host. */
function addressOf(text: string): string {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === '' ? url.href : ''
}

function numberAt(body: unknown, name: string): number | undefined {
  const found = valueAt(body, name)
  const value = typeof found === 'string' || typeof found === 'number' ? Number(found) : Number.NaN
  return Number.isFinite(value) && value > 0 ? value : undefined
}
