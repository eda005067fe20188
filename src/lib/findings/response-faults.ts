import type { Finding } from './finding.ts'
import { orCorrect, setAuthority } from './shared-cases.ts'

/** Several hosts return the same page, so another server responds for all of them. */
const samePage =
  'Ask the network team to let this host pass the gateway or sign-in page that responds in place of {host} and {sameAt}[ ({page})].'

/** The page contains texts that identify a gateway or portal. */
const gatewayPage = `Ask the network team or the operator of {host} about the page in its response ({page})${orCorrect}`

export const responseFaults = {
  REDIRECTED: {
    title: 'Redirect from {name}',
    cause: 'The service does not follow the redirect of {name}, because it could send a secret to another host.',
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
    cause:
      'The response of {name} has the status 404[{address.open}: the path is wrong, or another service runs there| for a path that should exist].',
    fix: 'Ask the operator of {at} why it returns 404 for [{path}|this path].[{address.proof}]',
    cases: [
      samePage,
      setAuthority,
      '{problem=token endpoint} Ask the operator of {host} why its token endpoint {path} returns 404.',
      'Correct {address.change}[: {at} returned 404 for {path}].',
    ],
  },
  THROTTLED: {
    title: 'Too many requests to {name}',
    signs: ['TooManyRequests', '429 Too Many Requests'],
    cause: 'Status 429: {name} limits the number of requests.',
    fix: 'Wait [{retryAfterSeconds} s|for the time that the host requests], and check that no other workload with this identity sends requests in a loop.',
  },
  HTTP_ERROR: {
    title: 'Error status from {name}',
    signs: ['502 Bad Gateway', '503 Service Unavailable', '504 Gateway'],
    cause: 'The service at the address of {name} fails, or a gateway in front of it refuses the request.',
    fix: 'Ask the operator of {at} why it returns [{status}|an error].[ If the host is healthy, check that {address.setting} does not name a gateway.][{address.proof}]',
    cases: [samePage, gatewayPage],
  },
  RESPONSE_TOO_LARGE: {
    title: 'Response from {name} too large',
    cause: 'The response from {name} exceeds the limit of 1 MiB, far above any genuine response.',
    fix: 'Ask the operator of {at} which program responds there.[{address.proof}]',
    cases: [
      'Check that {address.setting} is the address of the service, and not of a gateway or portal[: another program responds at {host}].',
    ],
  },
  RESPONSE_INVALID: {
    title: 'Invalid response from {name}',
    signs: ['<!DOCTYPE html', "invalid character '<' looking for beginning of value", "Unexpected token '<'"],
    cause: 'A portal, a gateway or another service responds at the address of {name}, or its response is cut off.',
    fix: 'Ask the network team to let this host pass the gateway or sign-in page that responds instead of {name}[ at {host}].[{address.proof}]',
    cases: [
      'Ask the operator of {host}, or of a proxy or gateway in front of it, why its response is cut after {receivedBytes} bytes. Then try again.',
      samePage,
      setAuthority,
      gatewayPage,
      'If {at} is not the service, correct {address.setting}. If a sign-in page of the network responds, ask the network team to exempt this host.',
    ],
  },
} as const satisfies Readonly<Record<string, Finding>>
