/** The parts of the enclave, each on its own loopback port. The profile does not name `foreign`. */
export type Role = 'login' | 'resource-manager' | 'vault' | 'storage' | 'graph' | 'managed-identity' | 'foreign'

/** The roles a fault can be set on. */
export type FaultRole = Exclude<Role, 'foreign' | 'graph'>

/** One kind of request within a role, so that a fault can affect it alone. */
export type Step =
  | 'login/openid-configuration'
  | 'login/token'
  | 'login/device-code'
  | 'resource-manager/metadata'
  | 'resource-manager/subscriptions'
