import { randomBytes, randomInt } from 'node:crypto'
import { LoginError } from './login-error.ts'
import type { RequestedResource } from './requested-resource.ts'

/** Lifetime and polling interval of a device code, in seconds. */
export interface DeviceCodeTiming {
  /** Default is 900. */
  readonly lifetimeSeconds?: number
  /** Default is 1. */
  readonly intervalSeconds?: number
}

type Decision = 'pending' | 'approved' | 'declined' | 'expired'

export interface DeviceSignIn {
  readonly userCode: string
  readonly deviceCode: string
  readonly clientId: string
  readonly requested: RequestedResource
  readonly lifetimeSeconds: number
  readonly intervalSeconds: number
}

/** A sign-in as the approval page shows it. */
export type PendingSignIn = Pick<DeviceSignIn, 'userCode' | 'clientId'> & Pick<RequestedResource, 'audience'>

export type DeviceCodes = ReturnType<typeof createDeviceCodes>

interface Entry extends DeviceSignIn {
  readonly expiresAt: number
  decision: Decision
  lastPoll: number
}

/** Letters and digits that cannot be confused. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ2345679'

export function createDeviceCodes(timing: DeviceCodeTiming, now: () => number) {
  const { lifetimeSeconds = 900, intervalSeconds = 1 } = timing
  const byDeviceCode = new Map<string, Entry>()
  const find = (userCode: string): Entry | undefined =>
    [...byDeviceCode.values()].find(
      (entry) => entry.userCode === plainCode(userCode) && entry.decision === 'pending' && now() < entry.expiresAt,
    )

  return {
    start: (clientId: string, requested: RequestedResource): DeviceSignIn => {
      const entry: Entry = {
        userCode: Array.from({ length: 9 }, () => alphabet[randomInt(alphabet.length)]).join(''),
        deviceCode: randomBytes(48).toString('base64url'),
        clientId,
        requested,
        lifetimeSeconds,
        intervalSeconds,
        expiresAt: now() + lifetimeSeconds * 1000,
        decision: 'pending',
        lastPoll: Number.NEGATIVE_INFINITY,
      }
      byDeviceCode.set(entry.deviceCode, entry)
      return entry
    },
    /**
     * One poll by the device.
     *
     * @throws {LoginError} 70016 pending (as `slow_down` if polled far too soon), 70018 declined or unknown, 70019 expired.
     */
    redeem: (deviceCode: string, clientId: string): { readonly requested: RequestedResource } => {
      const entry = byDeviceCode.get(deviceCode)
      if (entry === undefined || entry.clientId !== clientId) throw new LoginError(70018)
      if (entry.decision === 'expired' || now() >= entry.expiresAt) throw new LoginError(70019)
      if (entry.decision === 'declined') throw new LoginError(70018, '', { error: 'authorization_declined' })
      if (entry.decision === 'pending') {
        const soon = now() - entry.lastPoll < intervalSeconds * 500
        entry.lastPoll = now()
        throw new LoginError(70016, '', soon ? { error: 'slow_down' } : {})
      }
      byDeviceCode.delete(deviceCode)
      return { requested: entry.requested }
    },
    /** The pending sign-in of a code. Letter case and separators do not matter. */
    findPending: (userCode: string): PendingSignIn | undefined => {
      const entry = find(userCode)
      return entry && { userCode: entry.userCode, clientId: entry.clientId, audience: entry.requested.audience }
    },
    /** @throws {RangeError} If no sign-in with this code is pending. */
    decide: (userCode: string, decision: Exclude<Decision, 'pending'>): void => {
      const entry = find(userCode)
      if (entry === undefined) throw new RangeError(`No sign-in with the code ${userCode} is pending.`)
      entry.decision = decision
    },
  }
}

function plainCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z\d]/g, '')
}
