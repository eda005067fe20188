import type { TraceStepName } from './attempt.ts'

/** Path endings with the purpose of the request, most specific first. */
const endings: readonly (readonly [RegExp, TraceStepName])[] = [
  [/\/common\/discovery\/instance$/i, 'instance-discovery'],
  [/\/\.well-known\/openid-configuration$/i, 'openid-configuration'],
  [/\/userrealm\//i, 'user-realm'],
  [/\/devicecode$/i, 'device-code'],
  [/\/metadata\/identity\/|\/msi\/token/i, 'managed-identity'],
  [/\/token$/i, 'token'],
  [/\/metadata\/endpoints$/i, 'metadata'],
  [/\/subscriptions/i, 'resource-manager'],
]

/** The purpose of a request, from its path. */
export function stepOf(url: URL): TraceStepName {
  return endings.find(([pattern]) => pattern.test(url.pathname))?.[1] ?? 'other'
}
