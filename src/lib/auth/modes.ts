import { clientCertificate } from './modes/client-certificate.ts'
import { clientSecret } from './modes/client-secret.ts'
import { deviceCode } from './modes/device-code.ts'
import { managedIdentity } from './modes/managed-identity.ts'
import type { Mode } from './modes/mode.ts'
import { platformCli } from './modes/platform-cli.ts'
import { usernamePassword } from './modes/username-password.ts'
import { workloadIdentity } from './modes/workload-identity.ts'

/**
 * How a workload proves who it is: the values of AUTH_MODE, in the order of the documents. `default` is the chain of those that the
 * environment configures. A list of its own, for a cold start needs the names and nothing of the modes.
 */
export const authModes = [
  'managedIdentity',
  'workloadIdentity',
  'platformCli',
  'deviceCode',
  'clientSecret',
  'clientCertificate',
  'usernamePassword',
  'default',
] as const

export type AuthMode = (typeof authModes)[number]

/** Every mode that is one credential. The default chain tries its members in this order, which is that of the library's own. */
export const modes = {
  clientSecret,
  clientCertificate,
  usernamePassword,
  workloadIdentity,
  managedIdentity,
  platformCli,
  deviceCode,
} as const satisfies Readonly<Record<Exclude<AuthMode, 'default'>, unknown>>

type PlanOf<M> = M extends Mode<infer Plan> ? Plan : never

/** What one credential will be built from. */
export type SinglePlan = PlanOf<(typeof modes)[keyof typeof modes]>
