import type { Case, FaultText } from './finding.ts'
import { orCorrect, setAuthority } from './shared-cases.ts'

/** Several hosts return the same page, so another server responds for all of them. */
const samePage = {
  cause:
    'Several hosts of the cloud return the same page: a portal or gateway of this network responds in their place.',
  fix: 'Ask the network team to let this host pass the gateway or sign-in page that responds in place of {host} and {sameAt}[ ({page})].',
} as const satisfies Case

/** The page contains texts that identify a gateway or portal. */
const gatewayPage = `Ask the network team or the operator of {host} about the page in its response ({page})${orCorrect}`

export const unknownPath = '[: {at} returned 404 for {path}]'

export const responseFaults = {
  REDIRECTED: {
    title: 'Redirect from {name}',
    short: 'redirect',
    cause:
      'The address of {name} returns a redirect. The service does not follow it, because it could send a secret to another host.',
    fix: 'Ask the operator of {at} why it redirects[ to {location}]. If that is a sign-in page, ask its operator to let this host pass.[{address.proof}]',
    cases: [
      'Ask the operator of {host} why it redirects to {location.host}, which belongs to another cloud ({location.cloud}). Do not set the address to it.',
      setAuthority,
      'If {addressToSet.value} is the service, set {address.change} to {addressToSet}. If it is a sign-in page, ask the operator of that gateway to let this host pass.',
      'Correct {address.setting}. If the redirect[ to {location}] leads to a sign-in page, ask the operator of that gateway to let this host pass.',
    ],
  },
  NOT_FOUND: {
    title: 'Unknown path at {name}',
    short: 'path unknown',
    cause:
      'The response of {name} has the status 404[{address.open}: the path is wrong, or another service runs at this address| for a path that should exist].',
    fix: 'Ask the operator of {at} why it returns 404 for [{path}|this path].[{address.proof}]',
    cases: [
      samePage,
      setAuthority,
      '{problem=token endpoint} Ask the operator of {host} why its token endpoint {path} returns 404.',
      `Correct the path of {address.change}${unknownPath}.`,
    ],
  },
  THROTTLED: {
    title: 'Too many requests to {name}',
    short: 'too many requests',
    signs: ['TooManyRequests', '429 Too Many Requests'],
    cause: 'Status 429: {name} limits the number of requests.',
    fix: 'Wait [{retryAfterSeconds} s|for the time that the host requests], and check that no other workload with this identity sends requests in a loop.',
  },
  HTTP_ERROR: {
    title: 'Error status from {name}',
    short: 'error status',
    signs: ['502 Bad Gateway', '503 Service Unavailable', '504 Gateway'],
    cause:
      'The response of {name} has an error status: the service fails, or a gateway in front of it refuses the request.',
    fix: 'Ask the operator of {at} why it returns [{status}|an error].[ If the host is healthy, check that {address.setting} does not name a gateway.][{address.proof}]',
    cases: [samePage, gatewayPage],
  },
  RESPONSE_TOO_LARGE: {
    title: 'Response from {name} too large',
    short: 'invalid response',
    cause: 'The response from {name} exceeds the limit of 1 MiB, far above any genuine response.',
    fix: 'Ask the operator of {at} which program responds there.[{address.proof}]',
    cases: [
      'Check that {address.setting} is the address of the service, and not of a gateway or portal[: another program responds at {host}].',
    ],
  },
  RESPONSE_INVALID: {
    title: 'Invalid response from {name}',
    short: 'invalid response',
    signs: ['<!DOCTYPE html', "invalid character '<' looking for beginning of value", "Unexpected token '<'"],
    cause: 'The address of {name} returned an invalid response: a portal, a gateway or another service responds there.',
    fix: 'Ask the network team to let this host pass the gateway or sign-in page that responds instead of {name}[ at {host}].[{address.proof}]',
    cases: [
      {
        cause:
          'The response of {name} is cut off: the host, or a proxy or gateway in front of it, sends only its beginning.',
        fix: 'Ask the operator of {host}, or of a proxy or gateway in front of it, why its response is cut after {receivedBytes} bytes. Then try again.',
      },
      samePage,
      setAuthority,
      gatewayPage,
      'If {at} is not the service, correct {address.setting}. If a sign-in page of the network responds, ask the network team to exempt this host.',
    ],
  },
} as const satisfies Readonly<Record<string, FaultText>>
