import type { Facts, FaultText, FixRow } from './finding.ts'
import {
  address,
  ask,
  because,
  given,
  host,
  known,
  kindOfHost,
  ofAnotherCloud,
  orCorrect,
  proof,
  say,
  setAuthority,
  sets,
  setsAddress,
  unlessProven,
  when,
  workedBefore,
} from './fix-row.ts'

/** What a page says of its sender. */
function wordsOf({ title, server, supportId }: Facts): string {
  const words = [title && `"${title}"`, supportId && `support id ${supportId}`, server && `server ${server}`]
  return words.filter(Boolean).join(', ')
}

/** Several hosts return the same page, so another server responds for all of them. */
const samePage: FixRow = because(
  'Several hosts of the cloud return the same page: a portal or gateway of this network responds in their place.',
  say`Ask the network team to let this host pass the gateway or sign-in page that responds in place of ${'host'} and ${'sameAt'}${(facts) => wordsOf(facts) && ` (${wordsOf(facts)})`}.`,
)

/** What a gateway or portal says of itself in its page. */
const gatewayPage: FixRow = when(
  ({ title, supportId }) => title ?? supportId,
  say`Ask the network team or the operator of ${'host'} about the page that responds (${wordsOf})${orCorrect}`,
)

const nothing = ({ host, path }: Facts): string =>
  host === undefined || path === undefined ? '' : `: ${host} has nothing at ${path}`

const isAuthority = ({ subject }: Facts): boolean => subject?.field === 'authorityHost'

/** Faults of a response. `{name}` is the kind of host. */
export const responseFaults = {
  REDIRECTED: {
    title: 'Redirect from {name}',
    cause:
      'The address of {name} returns a redirect. The service follows none, because a redirect could lead a secret to another host.',
    fix: [
      ofAnotherCloud(
        'location',
        (owner) =>
          ask`Ask the operator of ${'host'} why it redirects to ${({ location = '' }) => URL.parse(location)?.host}, which belongs to ${owner}, another cloud. Do not set the address to it.`,
      ),
      workedBefore,
      setAuthority,
      setsAddress(
        'movedTo',
      )`If ${'movedTo'} is the service, set ${address} to ${'movedTo'}. If it is a sign-in page, ask the operator of that gateway to let this host pass.`,
      say`Correct ${address}. If the redirect${given('location', ' to ')} leads to a sign-in page, ask the operator of that gateway to let this host pass.`,
      ask`Ask the operator of ${host} why it redirects${given('location', ' to ')}, or of that gateway to let this host pass.${proof}`,
    ],
  },
  NOT_FOUND: {
    title: 'Unknown path at {name}',
    cause: 'The host of {name} returned 404: the path is wrong, or another service runs there.',
    fix: [
      samePage,
      workedBefore,
      setAuthority,
      ask`Ask the operator of ${'host'} why its token endpoint ${'tokenPath'} returns 404.`,
      when(
        (facts) => isAuthority(facts) && facts.run.proven.tenantId === undefined,
        sets('PLATFORM_TENANT_ID')`Correct PLATFORM_TENANT_ID: ${host} has nothing at ${'path'}.${proof}`,
      ),
      setsAddress()`Correct the path of ${address}${(facts) => (isAuthority(facts) ? ' and the tenant (PLATFORM_TENANT_ID)' : '')}${nothing}.`,
      ask`Ask the operator of ${host} why it has nothing at ${known('path', 'this path')}.${proof}`,
    ],
  },
  THROTTLED: {
    title: 'Too many requests to {name}',
    cause: 'Status 429: {name} limits the number of requests.',
    fix: [
      say`Wait ${({ retryAfterSeconds }) => (retryAfterSeconds === undefined ? 'for the time that the host requests' : `${retryAfterSeconds} s`)}, and check that no other workload with this identity sends requests in a loop.`,
    ],
  },
  HTTP_ERROR: {
    title: 'Error status from {name}',
    cause:
      'The host of {name} returned an error status: the service is out of order, or a gateway in front of it refuses.',
    fix: [
      samePage,
      workedBefore,
      gatewayPage,
      ask`Ask the operator of ${host} why it returns ${known('status', 'an error')}.${unlessProven(' If it is healthy, check that ', ' names it and not a gateway.')}`,
    ],
  },
  RESPONSE_TOO_LARGE: {
    title: 'Response from {name} too large',
    cause: 'The response from {name} exceeds the limit of 1 MiB, far above any genuine response.',
    fix: [
      workedBefore,
      say`Check that ${address} names the service, and not a gateway or portal${given('host', ': something else responds at ')}.`,
      ask`Ask the operator of ${host} what responds there.${proof}`,
    ],
  },
  RESPONSE_INVALID: {
    title: 'Invalid response from {name}',
    cause:
      'The response from the address of {name} breaks its protocol: a portal, a gateway or another service responds.',
    fix: [
      samePage,
      workedBefore,
      setAuthority,
      gatewayPage,
      say`If ${host} is not the service, correct ${address}. If a sign-in page of the network responds, ask the network team to exempt this host.`,
      say`Ask the network team to let this host pass the gateway or sign-in page that responds instead of ${kindOfHost}${given('host', ' at ')}.${proof}`,
    ],
  },
} as const satisfies Readonly<Record<string, FaultText>>
