import type { Context } from './context.ts'
import type { EnclaveRequest, EnclaveResponse, ErrorText, Handler } from './http/exchange.ts'
import { refusal, withHeaders } from './http/exchange.ts'
import type { Directory } from './directory.ts'
import { aiServicesOf } from './named-cloud.ts'
import type { TokenRefusal } from './login/token-issuer.ts'

type ProtectedRole = keyof Directory['accepted']

interface Versions {
  readonly of: (request: EnclaveRequest) => string | undefined
  /** Absent if a request needs no version. */
  readonly missing?: ErrorText
  readonly isOnStack: (version: string) => boolean
  readonly unknown: (version: string) => ErrorText
}

/** The refusals, the challenge, and the API versions on a stack of one role. */
interface Protection {
  readonly refusals: Readonly<Record<TokenRefusal | 'forbidden', ErrorText>> & { readonly firewall?: ErrorText }
  readonly challenge?: (authority: string, audience: string, message: string) => string
  readonly versions?: Versions
}

const apiVersion = ({ query }: EnclaveRequest): string | undefined => query.get('api-version') ?? undefined

/** The hybrid profile 2020-09-01. */
const resourceManagerOfStack = '2021-04-01,2020-10-01,2020-06-01,2019-10-01,2019-06-01,2018-05-01,2016-06-01'

export const missingApiVersion: ErrorText = [
  400,
  'MissingApiVersionParameter',
  'The api-version query parameter (?api-version=) is required.',
]

export function unknownApiVersion(version: string, supported: string): ErrorText {
  const message = `The api-version '${version}' is invalid. The supported versions are '${supported}'.`
  return [400, 'InvalidApiVersionParameter', message]
}

function invalidAuthentication(check: string): ErrorText {
  const AuthenticationErrorDetail = `${check} validation failed.`
  return [401, 'InvalidAuthenticationInfo', 'The authentication failed.', { AuthenticationErrorDetail }]
}

function plainRefusals(unauthorized: string, forbidden: string): Protection['refusals'] {
  return {
    missing: [401, unauthorized, 'The request has no bearer token.'],
    expired: [401, unauthorized, 'The access token has expired.'],
    'wrong-audience': [401, unauthorized, 'The access token is for a wrong audience. Request a token for {accepted}.'],
    invalid: [401, unauthorized, 'The access token is invalid.'],
    forbidden: [403, forbidden, 'The caller has no role that allows this action.'],
  }
}

/** Versions on a stack: https://learn.microsoft.com/azure-stack/user/azure-stack-version-profiles */
const protections: Readonly<Record<ProtectedRole, Protection>> = {
  'resource-manager': {
    refusals: {
      missing: [401, 'AuthenticationFailed', "The 'Authorization' header is missing."],
      expired: [401, 'ExpiredAuthenticationToken', 'The access token has expired.'],
      'wrong-audience': [
        401,
        'InvalidAuthenticationTokenAudience',
        'The access token has been obtained for a wrong audience. It should match one of the allowed audiences {accepted}.',
      ],
      invalid: [401, 'InvalidAuthenticationToken', 'The access token is invalid.'],
      forbidden: [403, 'AuthorizationFailed', 'The client does not have authorization to perform this action.'],
    },
    challenge: (authority, _, message) =>
      `Bearer authorization_uri="${authority}", error="invalid_token", error_description="${message}"`,
    versions: {
      of: apiVersion,
      missing: missingApiVersion,
      isOnStack: (version) => resourceManagerOfStack.split(',').includes(version),
      unknown: (version) => unknownApiVersion(version, resourceManagerOfStack),
    },
  },
  vault: {
    refusals: {
      missing: [401, 'Unauthorized', 'AKV10000: The request has no bearer token.'],
      expired: [401, 'Unauthorized', 'AKV10043: The token has expired.'],
      'wrong-audience': [401, 'Unauthorized', 'AKV10022: Invalid audience. Expected {accepted}.'],
      invalid: [401, 'Unauthorized', 'AKV10032: The token is invalid.'],
      forbidden: [403, 'Forbidden', 'The caller has no role that allows this action.', { code: 'ForbiddenByRbac' }],
      firewall: [403, 'Forbidden', 'The firewall does not allow this address.', { code: 'ForbiddenByFirewall' }],
    },
    challenge: (authority, audience) => `Bearer authorization="${authority}", resource="${audience}"`,
    versions: {
      of: apiVersion,
      missing: [400, 'BadParameter', 'The api-version query parameter is missing.'],
      isOnStack: (version) => ['2016-10-01', '7.0', '7.1'].includes(version),
      unknown: (version) => [
        400,
        'BadParameter',
        `The specified version (${version}) is not recognized. Consider using the latest supported version (7.1).`,
      ],
    },
  },
  storage: {
    refusals: {
      missing: [401, 'NoAuthenticationInformation', 'The request has no authentication information.'],
      expired: invalidAuthentication('Lifetime'),
      'wrong-audience': invalidAuthentication('Audience'),
      invalid: invalidAuthentication('Signature'),
      forbidden: [403, 'AuthorizationPermissionMismatch', 'The caller has no role that allows this operation.'],
      firewall: [403, 'AuthorizationFailure', 'The network rules of the account do not allow this request.'],
    },
    challenge: (authority, audience) =>
      `Bearer authorization_uri=${authority}/oauth2/authorize resource_id=${audience}`,
    versions: {
      of: ({ headers }) => headers['x-ms-version']?.toString(),
      isOnStack: (version) => version <= '2019-07-07',
      unknown: (version) => [
        400,
        'InvalidHeaderValue',
        'The value for one of the HTTP headers is not in the correct format.',
        { HeaderName: 'x-ms-version', HeaderValue: version },
      ],
    },
  },
  'app-configuration': {
    refusals: plainRefusals('Unauthorized', 'Forbidden'),
    challenge: (_, __, message) => `HMAC-SHA256, Bearer error="invalid_token", error_description="${message}"`,
    versions: {
      of: apiVersion,
      missing: [400, 'BadRequest', 'The api-version query parameter is missing.'],
      isOnStack: () => true,
      unknown: (version) => [400, 'BadRequest', `The api-version ${version} is not supported.`],
    },
  },
  // The AI services of the enclave accept no API keys.
  ai: { refusals: plainRefusals('401', 'PermissionDenied') },
  graph: {
    refusals: {
      missing: [401, 'InvalidAuthenticationToken', 'Access token is empty.'],
      expired: [401, 'InvalidAuthenticationToken', 'Lifetime validation failed, the token is expired.'],
      'wrong-audience': [401, 'InvalidAuthenticationToken', 'Invalid audience. Request a token for {accepted}.'],
      invalid: [401, 'InvalidAuthenticationToken', 'Access token validation failure.'],
      forbidden: [403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.'],
    },
  },
}

/** Handles requests with a valid token and version. Refuses other requests with the texts of the role's real service. */
export function protect(role: ProtectedRole, context: Context, handle: Handler): Handler {
  const { directory, issuer, faults, foreignOrigin, authorizationUri, cloud } = context
  const { refusals, challenge, versions } = protections[role]

  /** A 401 has a challenge that names the authority and the resource to request. */
  const refuseWith = (accepted: readonly string[], [status, code, text, details]: ErrorText): EnclaveResponse => {
    const message = text.replace('{accepted}', accepted.map((audience) => `'${audience}'`).join(', '))
    const response = refusal(role, status, code, message, details)
    if (status !== 401 || challenge === undefined || faults.find('missing-challenge', role)) return response
    const value = faults.find('foreign-challenge', role)
      ? challenge(`${foreignOrigin}/common`, foreignOrigin, message)
      : challenge(authorizationUri, (accepted[0] ?? '').replace(/\/$/, ''), message)
    return withHeaders(response, { 'www-authenticate': value })
  }

  return async (request) => {
    const { origin, path } = request
    const accepted =
      role === 'ai'
        ? aiServicesOf(origin.replace('https://', ''), path, cloud).flatMap(
            (name) => cloud.services?.[name]?.audience ?? [],
          )
        : directory.accepted[role]
    const refuse = (text: ErrorText) => refuseWith(accepted, text)
    // A storage account and a configuration store also accept tokens for their address.
    const audiences = ['storage', 'app-configuration'].includes(role) ? [...accepted, origin] : accepted
    const verdict = await issuer.check(request.headers.authorization, audiences)
    if (verdict.claims === undefined) return refuse(refusals[verdict.reason])
    if (faults.find('rejects-token', role)) return refuse(refusals.invalid)
    if (faults.find('forbidden', role)) return refuse(refusals.forbidden)
    if (faults.find('firewall', role)) return refuse(refusals.firewall ?? refusals.forbidden)
    const version = versions?.of(request)
    const isKnown = version === undefined || context.versions === 'current' || versions?.isOnStack(version)
    const refused = version === undefined ? versions?.missing : isKnown ? undefined : versions?.unknown(version)
    return refused === undefined ? handle({ ...request, claims: verdict.claims }) : refuse(refused)
  }
}
