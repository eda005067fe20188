/**
 * How a workload proves who it is: the values of AUTH_MODE, in the order of the documents. `default` is the chain of those that the
 * environment configures. A file of its own, for settings need the names and nothing of the modes, which bring libraries along.
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
