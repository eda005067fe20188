/** Who a network fault concerns: the prefix of its code. */
export type NetworkRole = 'AUTHORITY' | 'RESOURCE_MANAGER' | 'METADATA' | 'IDENTITY_ENDPOINT' | 'SERVICE'

/** What can go wrong between here and a host, told apart. */
export type NetworkFault =
  | 'DNS_FAILED'
  | 'REFUSED'
  | 'UNREACHABLE'
  | 'TIMEOUT'
  | 'RESET'
  | 'UNTRUSTED'
  | 'CERTIFICATE_EXPIRED'
  | 'CERTIFICATE_NOT_YET_VALID'
  | 'CERTIFICATE_NAME_MISMATCH'
  | 'TLS_FAILED'
  | 'PROXY_FAILED'
  | 'REDIRECTED'
  | 'NOT_FOUND'
  | 'THROTTLED'
  | 'HTTP_ERROR'
  | 'RESPONSE_TOO_LARGE'
  | 'RESPONSE_INVALID'

/** A network failure of one role, such as `AUTHORITY_UNTRUSTED`. */
export type NetworkErrorCode = `${NetworkRole}_${NetworkFault}`

/** A code of {@link ServiceError}. Codes are stable; messages are for people and may change. */
export type ErrorCode =
  // profile and settings, found at start
  | 'UNSUPPORTED_CLOUD'
  | 'PROFILE_INVALID'
  | 'PROFILE_UNREADABLE'
  | 'SETTING_INVALID'
  | 'ARGUMENT_INVALID'
  // credentials, found when one is built
  | 'CREDENTIAL_SETTING_MISSING'
  | 'CREDENTIAL_FILE_UNREADABLE'
  | 'PLACEHOLDER_PROFILE'
  // guards of the transport
  | 'EGRESS_BLOCKED'
  | 'TOKEN_ENDPOINT_FOREIGN'
  | 'ISSUER_MISMATCH'
  | 'LOGIN_DOCUMENT_INVALID'
  // the network, per role
  | NetworkErrorCode
  | 'CERTIFICATE_EXPIRES_SOON'
  | 'PLAIN_HTTP'
  // answers of the login authority
  | 'CLIENT_SECRET_INVALID'
  | 'CLIENT_UNKNOWN'
  | 'CLIENT_ASSERTION_REJECTED'
  | 'USER_REJECTED'
  | 'TENANT_UNKNOWN'
  | 'INSTANCE_UNKNOWN'
  | 'RESOURCE_UNKNOWN'
  | 'SCOPE_INVALID'
  | 'CONDITIONAL_ACCESS'
  | 'TOKEN_REJECTED'
  | 'TOKEN_RESPONSE_INVALID'
  | 'TOKEN_TIMEOUT'
  | 'TOKEN_CANCELLED'
  // device code
  | 'DEVICE_CODE_PENDING'
  | 'DEVICE_CODE_DECLINED'
  | 'DEVICE_CODE_EXPIRED'
  | 'DEVICE_CODE_RESPONSE_INVALID'
  // managed identity and the command-line tool
  | 'MANAGED_IDENTITY_UNAVAILABLE'
  | 'MANAGED_IDENTITY_REJECTED'
  | 'CLI_NOT_INSTALLED'
  | 'CLI_NOT_LOGGED_IN'
  | 'CLI_FAILED'
  | 'CLI_TIMEOUT'
  | 'CHAIN_EXHAUSTED'
  // the token, read without showing it
  | 'TOKEN_AUDIENCE_MISMATCH'
  | 'TOKEN_AUDIENCE_SLASH'
  | 'TOKEN_TENANT_MISMATCH'
  | 'TOKEN_ISSUER_MISMATCH'
  | 'TOKEN_EXPIRED'
  | 'TOKEN_NOT_YET_VALID'
  | 'TOKEN_OPAQUE'
  | 'CLOCK_SKEW'
  // what the resource manager and its metadata say
  | 'RESOURCE_MANAGER_REJECTED_TOKEN'
  | 'RESOURCE_MANAGER_FORBIDDEN'
  | 'CHALLENGE_AUTHORITY_MISMATCH'
  | 'CHALLENGE_AUDIENCE_MISMATCH'
  | 'CHALLENGE_MISSING'
  | 'METADATA_NOT_CONFIGURED'
  | 'METADATA_INVALID'
  | 'METADATA_CLOUD_NOT_LISTED'
  | 'METADATA_MISMATCH'
  | 'UNEXPECTED'

/** A failure this service expects and can explain. `code` is stable; `message` is for people and never holds a secret. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * Tells our own errors from all others by shape: the bundle and its lazy chunk each carry a copy of the class,
 * so `instanceof` would not hold across them.
 */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'ServiceError' && 'code' in error
}

/** Something an operator should know that does not stop the service. */
export interface Warning {
  readonly code: WarningCode
  readonly message: string
}

export type WarningCode =
  | 'UNKNOWN_FIELD'
  | 'OVERRIDE_UNUSED'
  | 'ARM_AUDIENCE_DIFFERS'
  | 'PLACEHOLDER_FIELD'
  | 'PUBLIC_VALUE_IN_PRIVATE_PROFILE'
  | 'GUID_TENANT_WITH_FEDERATION_SERVICE'
  | 'AUTHORITY_ALIAS'
  | 'AZURE_VARIABLE_IGNORED'
  | 'AZURE_VARIABLE_IN_EFFECT'
  | 'CLI_CLOUD_NOT_REGISTERED'
