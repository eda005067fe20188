import { defineCase, type FaultText, type Words } from './finding.ts'
import { setAuthority } from './shared-cases.ts'

/** Several hosts return the same page, so another server responds for all of them. */
const samePage = defineCase(
  {
    needs: ['host', 'sameAt'],
    cause:
      'Several hosts of the cloud return the same page: a portal or gateway of this network responds in their place.',
  },
  ({ host, sameAt, maybe }) =>
    `Ask the network team to let this host pass the gateway or sign-in page that responds in place of ${host} and ${sameAt}${maybe('page', ' (', ')')}.`,
)

/** The page contains texts that identify a gateway or portal. */
const gatewayPage = defineCase(
  { needs: ['host', 'page'] },
  ({ host, page, orCorrect }) =>
    `Ask the network team or the operator of ${host} about the page in its response (${page})${orCorrect}`,
)

/** The response breaks off. */
const cutResponse = defineCase(
  {
    needs: ['host', 'receivedBytes'],
    cause:
      'The response of {name} is cut off: the host, or a proxy or gateway in front of it, sends only its beginning.',
  },
  ({ host, receivedBytes }) =>
    `Ask the operator of ${host}, or of a proxy or gateway in front of it, why its response is cut after ${receivedBytes} bytes. Then try again.`,
)

export const unknownPath = ({ at, maybe }: Words): string => maybe('path', `: ${at} returned 404 for `)

export const responseFaults = {
  REDIRECTED: {
    title: 'Redirect from {name}',
    short: 'redirect',
    cause:
      'The address of {name} returns a redirect. The service does not follow it, because it could send a secret to another host.',
    fix: ({ at, maybe, proof }) =>
      `Ask the operator of ${at} why it redirects${maybe('location', ' to ')}. If that is a sign-in page, ask its operator to let this host pass.${proof}`,
    cases: [
      defineCase(
        { needs: ['host', 'location'], foreign: 'location' },
        ({ host, location, otherCloud }) =>
          `Ask the operator of ${host} why it redirects to ${URL.parse(location)?.host}, which belongs to another cloud (${otherCloud}). Do not set the address to it.`,
      ),
      setAuthority,
      defineCase(
        { needs: ['addressToSet', 'addressSetting'], sets: { field: 'address' }, value: 'addressToSet' },
        ({ addressToSet, addressSetting }) =>
          `If ${addressToSet} is the service, set ${addressSetting} to ${addressToSet}. If it is a sign-in page, ask the operator of that gateway to let this host pass.`,
      ),
      defineCase(
        { needs: ['addressSetting'] },
        ({ addressSetting, maybe }) =>
          `Correct ${addressSetting}. If the redirect${maybe('location', ' to ')} leads to a sign-in page, ask the operator of that gateway to let this host pass.`,
      ),
    ],
  },
  NOT_FOUND: {
    title: 'Unknown path at {name}',
    short: 'path unknown',
    cause: 'The response of {name} has the status 404: the path is wrong, or another service runs at this address.',
    causeIfProven: {
      field: 'address',
      cause: 'The response of {name} has the status 404 for a path that should exist.',
    },
    fix: ({ at, or, proof }) => `Ask the operator of ${at} why it returns 404 for ${or('path', 'this path')}.${proof}`,
    cases: [
      samePage,
      setAuthority,
      defineCase(
        { needs: ['host', 'path'], is: { problem: 'token endpoint' } },
        ({ host, path }) => `Ask the operator of ${host} why its token endpoint ${path} returns 404.`,
      ),
      defineCase(
        { needs: ['addressSetting'], sets: { field: 'address' } },
        (given) => `Correct the path of ${given.addressSetting}${unknownPath(given)}.`,
      ),
    ],
  },
  THROTTLED: {
    title: 'Too many requests to {name}',
    short: 'too many requests',
    signs: ['TooManyRequests', '429 Too Many Requests'],
    cause: 'Status 429: {name} limits the number of requests.',
    fix: ({ maybe }) =>
      `Wait ${maybe('retryAfterSeconds', '', ' s') || 'for the time that the host requests'}, and check that no other workload with this identity sends requests in a loop.`,
  },
  HTTP_ERROR: {
    title: 'Error status from {name}',
    short: 'error status',
    signs: ['502 Bad Gateway', '503 Service Unavailable', '504 Gateway'],
    cause:
      'The response of {name} has an error status: the service fails, or a gateway in front of it refuses the request.',
    fix: ({ at, or, maybe, proof }) =>
      `Ask the operator of ${at} why it returns ${or('status', 'an error')}.${maybe('addressSetting', ' If the host is healthy, check that ', ' does not name a gateway.')}${proof}`,
    cases: [samePage, gatewayPage],
  },
  RESPONSE_TOO_LARGE: {
    title: 'Response from {name} too large',
    short: 'invalid response',
    cause: 'The response from {name} exceeds the limit of 1 MiB, far above any genuine response.',
    fix: ({ at, proof }) => `Ask the operator of ${at} which program responds there.${proof}`,
    cases: [
      defineCase(
        { needs: ['addressSetting'] },
        ({ addressSetting, maybe }) =>
          `Check that ${addressSetting} is the address of the service, and not of a gateway or portal${maybe('host', ': another program responds at ')}.`,
      ),
    ],
  },
  RESPONSE_INVALID: {
    title: 'Invalid response from {name}',
    short: 'invalid response',
    signs: ['<!DOCTYPE html', "invalid character '<' looking for beginning of value", "Unexpected token '<'"],
    cause: 'The address of {name} returned an invalid response: a portal, a gateway or another service responds there.',
    fix: ({ name, maybe, proof }) =>
      `Ask the network team to let this host pass the gateway or sign-in page that responds instead of ${name}${maybe('host', ' at ')}.${proof}`,
    cases: [
      cutResponse,
      samePage,
      setAuthority,
      gatewayPage,
      defineCase(
        { needs: ['addressSetting'] },
        ({ at, addressSetting }) =>
          `If ${at} is not the service, correct ${addressSetting}. If a sign-in page of the network responds, ask the network team to exempt this host.`,
      ),
    ],
  },
} as const satisfies Readonly<Record<string, FaultText>>
