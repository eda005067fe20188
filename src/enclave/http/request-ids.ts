import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Role } from '../roles.ts'

/** The form of a client's request id. Other values are not echoed. */
const identifier = /^[\w.-]{1,128}$/

/** Correlation headers: the cloud's id, and the echoed id of the caller. The login authority echoes only on request. */
export function requestIds(role: Role, headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  if (role === 'foreign' || role === 'managed-identity') return {}
  const own = { 'x-ms-request-id': randomUUID() }
  const given = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' && identifier.test(value) ? value : undefined
  }
  if (role === 'login') {
    const id = given('client-request-id')
    const asked = given('return-client-request-id')?.toLowerCase() === 'true'
    return id === undefined || !asked ? own : { ...own, 'client-request-id': id }
  }
  const id = given('x-ms-client-request-id')
  return {
    ...own,
    ...(role === 'resource-manager'
      ? { 'x-ms-correlation-request-id': given('x-ms-correlation-request-id') ?? randomUUID() }
      : {}),
    ...(id === undefined ? {} : { 'x-ms-client-request-id': id }),
  }
}
