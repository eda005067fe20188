import type { ChangeableField } from './fix.ts'
import type { Advice, Facts, FixRow } from './finding.ts'
import { proxyFixes } from './proxy-fixes.ts'
import { askOperator, changeTo, clockProof, proven, setAuthority, workedBefore } from './shared-fixes.ts'
import { untrustedFixes } from './untrusted-fixes.ts'

/** A kind of host, in the words of its findings. */
export interface Subject {
  /** Noun phrase for the middle of a sentence. */
  readonly name: string
  /** The field that sets its address. */
  readonly field?: ChangeableField
  /** Where its address is set, if no field of the profile does. */
  readonly address?: string
}

/** Kinds of host: the prefix of a code. */
export const subjects = {
  AUTHORITY: { name: 'the login authority', field: 'authorityHost' },
  RESOURCE_MANAGER: { name: 'the resource manager', field: 'resourceManagerEndpoint' },
  METADATA: { name: 'the metadata endpoint', field: 'metadataEndpoint' },
  IDENTITY_ENDPOINT: { name: 'the identity endpoint of this host', address: 'IDENTITY_ENDPOINT, which the host sets' },
  SERVICE: {
    name: 'the service',
    address: 'the account (PLATFORM_STORAGE_ACCOUNT, PLATFORM_KEY_VAULT) or its DNS suffix in the profile',
  },
} as const satisfies Readonly<Record<string, Subject>>

/** The kind of host that a network fault concerns. */
export type NetworkRole = keyof typeof subjects

type Text = (subject: Subject) => string

export interface FaultText {
  readonly title: Text
  readonly cause: Text
  /** Where no row applies. The name of the address is that of the run. */
  readonly fix: (subject: Subject, facts: Facts) => Advice | string
  readonly fixes?: (subject: Subject) => readonly FixRow[]
}

const isAuthority = ({ field }: Subject): boolean => field === 'authorityHost'

/** Fixes that only the login authority has. */
const ifAuthority = (subject: Subject, ...fixes: readonly FixRow[]): readonly FixRow[] =>
  isAuthority(subject) ? fixes : []

/** Where the address of the host is set. */
function addressOf({ field, address = '' }: Subject, { run }: Facts): string {
  return run.endpoint?.address ?? (field === undefined ? address : run.nameOf(field))
}

const fieldOf = ({ field }: Subject, { run }: Facts): ChangeableField | undefined => run.endpoint?.field ?? field

/** Why the address needs no change, if the live cloud confirms it. */
function proofOf(subject: Subject, facts: Facts): string | undefined {
  const field = fieldOf(subject, facts)
  return field && facts.run.proven[field]
}

/** Where the path of a request comes from. Only the login authority has the tenant in it. */
const pathOf = (subject: Subject, facts: Facts): string =>
  `the path of ${addressOf(subject, facts)}${isAuthority(subject) ? ' and the tenant (PLATFORM_TENANT_ID)' : ''}`

/** The address is to be corrected, or something outside is to be done; only the second if the address is proven. */
function correctOr(subject: Subject, facts: Facts, outside: string, correct = 'Correct'): Advice {
  const proof = proofOf(subject, facts)
  if (proof !== undefined) return { text: `${outside.charAt(0).toUpperCase()}${outside.slice(1)}.${proven(proof)}` }
  const field = fieldOf(subject, facts)
  const change = field === undefined ? {} : changeTo(facts, field)
  return { text: `${correct} ${addressOf(subject, facts)}, or ${outside}.`, ...change }
}

/** The same with the outside first: the address is most likely right. */
function orCorrect(subject: Subject, facts: Facts, outside: string): Advice {
  const proof = proofOf(subject, facts)
  return {
    text: proof === undefined ? `${outside}, or correct ${addressOf(subject, facts)}.` : outside + '.' + proven(proof),
  }
}

/** A question to the operator, and the address if the answer is no. */
function askThenCorrect(subject: Subject, facts: Facts, what: string, otherwise: string): Advice {
  const asked = askOperator(facts.host ?? subject.name, what)
  const proof = proofOf(subject, facts)
  return { ...asked, text: `${asked.text}.${proof === undefined ? ` ${otherwise}` : proven(proof)}` }
}

/** A direct connection that a proxy would replace. */
const removeExemption =
  (subject: Subject, outside: string): FixRow =>
  (facts) => {
    const { host, exempted, exemptingEntry, exemptionVariable } = facts
    if (!host || !exempted || !exemptingEntry || !exemptionVariable) return undefined
    const otherwise = proofOf(subject, facts) === undefined ? `, or correct ${addressOf(subject, facts)}` : ''
    const text = `If ${host} is reachable only through the proxy of ${exempted}, remove ${exemptingEntry} from ${exemptionVariable}. If not, ${outside} ${host}${otherwise}.`
    return { text, blames: 'tcp' }
  }

/** The name leads to an address that cannot be that of the host. */
const wrongAddress: FixRow = ({ host, address, addressKind, sibling, siblingAddress }) => {
  if (!host || !address || !addressKind) return undefined
  if (addressKind === 'this machine') {
    const text = `Correct the DNS record of ${host} (or its line in the hosts file of this machine): it resolves to ${address}, which is this machine and not the host.`
    return { text, cause: `The name resolves to an address of this machine (${address}), where the host does not run.` }
  }
  if (!sibling || !siblingAddress) return undefined
  return `Add ${host} to the private DNS zone that this network uses: it resolves to the public address ${address}, where ${sibling} has the private address ${siblingAddress}.`
}

/** A layer above the network is silent: what answers at the port is there, so no firewall rule for the port is the cause. */
const silentLayer =
  ({ name }: Subject): FixRow =>
  ({ host, path, otherPath, run }) => {
    const { passed } = run.endpoint ?? {}
    if (host === undefined || passed === undefined) return undefined
    if (passed === 'tcp') {
      const text = `Ask the network team to check the path MTU to ${host} and for an inspecting device, and the operator of ${host} whether it is overloaded. The TCP connection works, so leave the firewall rule.`
      return {
        text,
        blames: 'tls',
        cause: `The TCP connection to ${name} works, but its TLS handshake gets no response.`,
      }
    }
    if (passed === 'dns' || passed === 'proxy') return undefined
    const beside = otherPath === undefined ? '' : `: ${otherPath} of the same host responds`
    return {
      ...askOperator(host, `why ${path ?? 'this request'} gets no response in time${beside}.`),
      text: `Ask the operator of ${host} why ${path ?? 'this request'} gets no complete response in time${beside}. If the host is only slow, raise PLATFORM_TOKEN_TIMEOUT_MS.`,
      cause: `The connection to ${name} works, but its response does not arrive completely in time: the host or a device that inspects large responses delays it.`,
      blames: 'answer',
    }
  }

/** What a page says of its sender. */
function wordsOf({ title, server, supportId }: Facts): string {
  const named = [title && `"${title}"`, supportId && `support id ${supportId}`, server && `server ${server}`]
  return named.filter(Boolean).join(', ')
}

/** Several hosts return the same page, so another server responds for all of them. */
const samePage: FixRow = (facts) => {
  const { host, sameAt } = facts
  if (host === undefined || sameAt === undefined) return undefined
  const words = wordsOf(facts)
  return {
    text: `Ask the network team to let this host pass the gateway or sign-in page that responds in place of ${host} and ${sameAt}${words === '' ? '' : ` (${words})`}.`,
    by: 'network team',
    cause:
      'Several hosts of the cloud return the same page: a portal or gateway of this network responds in their place.',
  }
}

/** What a gateway or portal says of itself in its page. */
const gatewayPage =
  (subject: Subject): FixRow =>
  (facts) => {
    const { host, title, supportId } = facts
    if (host === undefined || (title ?? supportId) === undefined) return undefined
    const ask = `Ask the network team or the operator of ${host} about the page that responds (${wordsOf(facts)})`
    return orCorrect(subject, facts, ask)
  }

/** Faults of a connection to a host, and of its response: the rest of a code. */
export const faults = {
  DNS_FAILED: {
    title: ({ name }) => `DNS lookup failed for ${name}`,
    cause: ({ name }) => `The host name of ${name} is wrong, or the DNS server of this network does not know it.`,
    fix: (subject, facts) =>
      correctOr(
        subject,
        facts,
        `add the name${facts.host === undefined ? '' : ` ${facts.host}`} to the DNS server that this machine uses (a private zone, a forwarder)`,
      ),
    fixes: (subject) => [
      workedBefore,
      ...ifAuthority(subject, setAuthority),
      (facts) => {
        const { host, exempted, exemptingEntry, exemptionVariable } = facts
        if (!host || !exempted || !exemptingEntry || !exemptionVariable) return undefined
        const outside = `add the name to the DNS server that this machine uses`
        const otherwise =
          proofOf(subject, facts) === undefined ? `correct ${addressOf(subject, facts)}, or ${outside}` : outside
        return `If the proxy of ${exempted} knows ${host}, remove ${exemptingEntry} from ${exemptionVariable}. If not, ${otherwise}.`
      },
    ],
  },
  DNS_UNAVAILABLE: {
    title: ({ name }) => `DNS server failed for ${name}`,
    cause: ({ name }) =>
      `No DNS server of this machine gave an answer for ${name}. The name itself may be correct: nothing is known about it.`,
    fix: () =>
      'Check the DNS servers of this machine and the network to them (UDP and TCP port 53). Do not change the profile.',
    fixes: () => [
      ({ host, servers, serverFailure }) =>
        host !== undefined &&
        servers !== undefined &&
        serverFailure !== undefined && {
          text: `Ask the operator of the DNS server (${servers}) why it responds ${serverFailure} for ${host}: a forwarder that it cannot reach, or a broken zone or signature. Do not change the profile.`,
          by: 'operator of the DNS server',
          cause: `The DNS server responds, but with ${serverFailure}: it failed to look the name up itself.`,
        },
      ({ host, servers }) =>
        host !== undefined &&
        servers !== undefined &&
        `Check the DNS servers of this machine (${servers}) and the network to them (UDP and TCP port 53). Do not change the profile: the name ${host} may be correct.`,
    ],
  },
  REFUSED: {
    title: ({ name }) => `Connection refused by ${name}`,
    cause: ({ name }) => `Nothing listens at the address and port of ${name}, or a firewall refuses the connection.`,
    fix: (subject, facts) => {
      const { host } = facts
      const proof = proofOf(subject, facts)
      if (proof !== undefined && host !== undefined) {
        return `Start ${subject.name} at ${host}, or open the firewall between this machine and ${host}.${proven(proof)}`
      }
      const start = `start the service ${host === undefined ? 'there' : `at ${host}`} and open the firewall`
      return correctOr(subject, facts, start, 'Correct the host and port of')
    },
    fixes: (subject) => [
      wrongAddress,
      workedBefore,
      ...ifAuthority(subject, setAuthority),
      removeExemption(subject, 'allow traffic from this machine to'),
    ],
  },
  UNREACHABLE: {
    title: ({ name }) => `No route to ${name}`,
    cause: ({ name }) => `This network has no route to ${name}, or a device on the path rejects the packets.`,
    fix: (subject, facts) =>
      orCorrect(
        subject,
        facts,
        'Connect this host to the network of the cloud (virtual network, peering, route, local firewall)',
      ),
    fixes: (subject) => [
      wrongAddress,
      workedBefore,
      ...ifAuthority(subject, setAuthority),
      removeExemption(subject, 'allow traffic from this machine to'),
    ],
  },
  TIMEOUT: {
    title: ({ name }) => `No response from ${name}`,
    cause: ({ name }) =>
      `A connection to ${name} or its response took too long: the network drops packets, or the host is overloaded.`,
    fix: (subject, facts) => {
      const { host } = facts
      const allow = `Allow traffic from this machine to ${host ?? 'the host'} (firewall, security group, private endpoint)`
      const proof = proofOf(subject, facts)
      if (proof === undefined) return `${allow}, or correct ${addressOf(subject, facts)}.`
      return `${allow}, or ask its operator why it does not respond.${proven(proof)}`
    },
    fixes: (subject) => [
      wrongAddress,
      silentLayer(subject),
      workedBefore,
      ...ifAuthority(subject, setAuthority),
      removeExemption(subject, 'allow traffic from this machine to'),
    ],
  },
  RESET: {
    title: ({ name }) => `Connection reset by ${name}`,
    cause: ({ name }) =>
      `The host or a device on the network path closed the connection to ${name} before the response was complete.`,
    fix: ({ name }, { host }) =>
      `Ask the network team to look for an inspecting firewall or proxy between this machine and ${host ?? name}. Then try again.`,
    fixes: (subject) => [
      workedBefore,
      (facts) => {
        const { host, addressWithTls } = facts
        if (!host || !addressWithTls || proofOf(subject, facts) !== undefined) return undefined
        const field = fieldOf(subject, facts)
        return {
          text: `If ${host} expects TLS, set ${addressOf(subject, facts)} to ${addressWithTls}. If not, ask the network team to look for an inspecting firewall or proxy between this machine and ${host}.`,
          ...(field === undefined ? {} : changeTo(facts, field, addressWithTls)),
        }
      },
    ],
  },
  UNTRUSTED: {
    title: ({ name }) => `Untrusted certificate of ${name}`,
    cause: ({ name }) => `The certificate of ${name} comes from a certificate authority that Node does not trust here.`,
    fix: () =>
      'Set NODE_EXTRA_CA_CERTS to a PEM file with the CA that the message names, or NODE_USE_SYSTEM_CA=1 if the machine trusts it, and start again. If the server sends no intermediate certificate, ask its operator to add it.',
    fixes: () => untrustedFixes(({ host }) => host),
  },
  CERTIFICATE_EXPIRED: {
    title: ({ name }) => `Expired certificate of ${name}`,
    cause: ({ name }) => `The certificate of ${name} or of its issuer has expired, or the local clock is ahead.`,
    fix: ({ name }) =>
      `Ask the operator of ${name} to renew its certificate. If its dates are correct, synchronize this machine's clock (NTP).`,
    fixes: () => [
      ({ expiredIssuer, caFile, validTo }) =>
        expiredIssuer !== undefined &&
        caFile !== undefined && {
          text: `Replace the CA ${expiredIssuer} in ${caFile}, which expired on ${validTo}, by its renewed certificate, and start again. The certificate of the server is not at fault.`,
          change: { variable: 'NODE_EXTRA_CA_CERTS' },
          cause: 'A CA in the file of this process has expired, so that the chain of the server ends there.',
        },
      ({ host, expiredIssuer, validTo, run }) =>
        host !== undefined &&
        expiredIssuer !== undefined &&
        askOperator(
          host,
          `to send a chain without the CA ${expiredIssuer}, which expired on ${validTo}.${ifDatesAreCorrect(run.clock)}`,
        ),
      ({ host, validTo, issuer, run }) =>
        host !== undefined &&
        validTo !== undefined &&
        issuer !== undefined &&
        askOperator(
          host,
          `to renew its certificate, which expired on ${validTo} (issued by ${issuer}).${ifDatesAreCorrect(run.clock)}`,
        ),
    ],
  },
  CERTIFICATE_NOT_YET_VALID: {
    title: ({ name }) => `Certificate of ${name} not yet valid`,
    cause: ({ name }) =>
      `The certificate of ${name} is not valid yet: the local clock is behind, or the certificate has a wrong date.`,
    fix: ({ name }) =>
      `Synchronize this machine's clock (NTP). If the clock is correct, ask the operator of ${name} to replace the certificate.`,
    fixes: () => [
      ({ host, validFrom, run }) =>
        host !== undefined &&
        validFrom !== undefined &&
        run.clock === 'agrees' &&
        askOperator(
          host,
          `to replace its certificate, which is valid from ${validFrom}. The local clock is correct (it agrees with the login authority).`,
        ),
      ({ host, validFrom }) =>
        host !== undefined &&
        validFrom !== undefined &&
        `Synchronize this machine's clock (NTP): the certificate of ${host} is valid from ${validFrom}. If the clock is correct, ask the operator of ${host} to replace the certificate.`,
    ],
  },
  CERTIFICATE_NAME_MISMATCH: {
    title: ({ name }) => `Certificate of ${name} for another name`,
    cause: ({ name }) => `The certificate at the address of ${name} was issued for other host names.`,
    fix: (subject, facts) => {
      const { host = 'this name', names } = facts
      const issue = `ask the operator to issue a certificate for ${host}`
      if (proofOf(subject, facts) !== undefined) {
        const other = names === undefined ? '' : `, whose certificate is not for ${names}`
        return correctOr(subject, facts, `check that DNS leads ${host} to the correct server${other}, or ${issue}`)
      }
      const check = names === undefined ? ' Check that DNS leads to the correct host.' : ''
      return `Set ${addressOf(subject, facts)} to a name in the certificate${names === undefined ? '' : ` (${names})`}, or ${issue}.${check}`
    },
  },
  CERTIFICATE_INVALID: {
    title: ({ name }) => `Invalid certificate of ${name}`,
    cause: ({ name }) =>
      `A certificate in the chain of ${name} breaks a rule: it is not for servers, its issuer may not issue it (name constraint, path length), or its signature does not match.`,
    fix: ({ name }, { host, rule }) =>
      rule !== undefined && host !== undefined
        ? askOperator(host, `to replace the certificate chain (${rule}). Another trusted CA does not help.`)
        : `Ask the operator of ${name} to replace the certificate chain. The message names the rule. Another trusted CA does not help.`,
  },
  CERTIFICATE_WEAK: {
    title: ({ name }) => `Weak or unsupported certificate of ${name}`,
    cause: ({ name }) =>
      `OpenSSL refuses a signature or key in the certificate chain of ${name}, such as SHA-1, or RSA with fewer than 2048 bits.`,
    fix: ({ name }, { host }) =>
      askOperator(
        host ?? name,
        'to renew the chain with SHA-256 signatures and RSA keys of 2048 bits or more, or P-256.',
      ),
    fixes: () => [
      ({ host, weakCertificate, weakness }) =>
        host !== undefined &&
        weakCertificate !== undefined &&
        askOperator(
          host,
          `to renew the certificate ${weakCertificate}, which ${weakness}, with a SHA-256 signature and an RSA key of 2048 bits or more, or P-256.`,
        ),
    ],
  },
  CERTIFICATE_IPV6_UNSUPPORTED: {
    title: ({ name }) => `IPv6 literal of ${name} refused by this Node`,
    cause: ({ name }) =>
      `The address of ${name} has an IPv6 literal as host. This release of Node matches no certificate with one, and the certificate may be correct.`,
    fix: (subject, facts) => {
      const { host, nodeVersion } = facts
      if (proofOf(subject, facts) !== undefined) return correctOr(subject, facts, 'run Node 24')
      if (host === undefined || nodeVersion === undefined) {
        return `Set ${addressOf(subject, facts)} to a host name, or run Node 24.`
      }
      return `Set ${addressOf(subject, facts)} to a host name in place of ${host}, or run Node 24 in place of ${nodeVersion}.`
    },
  },
  TLS_FAILED: {
    title: ({ name }) => `TLS handshake failed with ${name}`,
    cause: ({ name }) =>
      `The TLS handshake with ${name} failed: the port does not speak TLS, or Node accepts no version, cipher or kind of key that it offers.`,
    fix: (subject, facts) => {
      const { text, ...rest } = correctOr(
        subject,
        facts,
        'ask its operator to enable TLS 1.2 or 1.3 with an RSA-2048 or P-256 key',
        'Correct the port of',
      )
      return { ...rest, text: `${text} In FIPS mode, both sides need an approved cipher.` }
    },
    fixes: () => [workedBefore],
  },
  PROXY_FAILED: {
    title: ({ name }) => `Proxy failed for ${name}`,
    cause: ({ name }) =>
      `A proxy variable applies to ${name}. Its address is wrong, or the proxy does not respond or refuses the request.`,
    fix: () =>
      'Correct HTTPS_PROXY (http://host:port), or add the host to NO_PROXY: exact names or .suffix, separated by commas; no * and no address ranges.',
    fixes: (subject) =>
      proxyFixes((facts) =>
        proofOf(subject, facts) === undefined
          ? ` If ${facts.host} is wrong, correct ${addressOf(subject, facts)}.`
          : '',
      ),
  },
  REDIRECTED: {
    title: ({ name }) => `Redirect from ${name}`,
    cause: ({ name }) =>
      `The address of ${name} returns a redirect. The service follows none, because a redirect could lead a secret to another host.`,
    fix: (subject, facts) => {
      const { location } = facts
      const target = location === undefined ? '' : ` to ${location}`
      const proof = proofOf(subject, facts)
      if (proof !== undefined) {
        return `Ask the operator of ${facts.host ?? subject.name} why it redirects${target}, or of that gateway to let this host pass.${proven(proof)}`
      }
      return `Correct ${addressOf(subject, facts)}. If the redirect${target} leads to a sign-in page, ask the operator of that gateway to let this host pass.`
    },
    fixes: (subject) => [
      (facts) => {
        const target = facts.movedTo ?? facts.location
        const owner = target === undefined ? undefined : facts.run.ownerOf(target)
        if (target === undefined || owner === undefined) return undefined
        const text = `Ask the operator of ${facts.host} why it redirects to ${URL.parse(target)?.host}, which belongs to ${owner}, another cloud. Do not set ${addressOf(subject, facts)} to it.`
        return { text, by: `operator of ${facts.host}` }
      },
      workedBefore,
      ...ifAuthority(subject, setAuthority),
      (facts) => {
        const { movedTo } = facts
        const field = fieldOf(subject, facts)
        if (movedTo === undefined || proofOf(subject, facts) !== undefined) return undefined
        return {
          text: `If ${movedTo} is the service, set ${addressOf(subject, facts)} to ${movedTo}. If it is a sign-in page, ask the operator of that gateway to let this host pass.`,
          ...(field === undefined ? {} : changeTo(facts, field, movedTo)),
        }
      },
    ],
  },
  NOT_FOUND: {
    title: ({ name }) => `Unknown path at ${name}`,
    cause: (subject) =>
      `The host of ${subject.name} returned 404: the path${isAuthority(subject) ? ' or the tenant' : ''} is wrong, or another service runs there.`,
    fix: (subject, facts) => {
      const { host, path } = facts
      const proof = proofOf(subject, facts)
      if (proof !== undefined)
        return `Ask the operator of ${host ?? subject.name} why it has nothing at ${path ?? 'this path'}.${proven(proof)}`
      const nothing = host === undefined || path === undefined ? '' : `: ${host} has nothing at ${path}`
      const field = fieldOf(subject, facts)
      const change = field === undefined ? {} : changeTo(facts, field)
      return { text: `Correct ${pathOf(subject, facts)}${nothing}.`, ...change }
    },
    fixes: (subject) => [
      samePage,
      workedBefore,
      ...ifAuthority(
        subject,
        setAuthority,
        ({ host, tokenPath }) =>
          host !== undefined &&
          tokenPath !== undefined &&
          askOperator(host, `why its token endpoint ${tokenPath} returns 404.`),
        (facts) => {
          const proof = proofOf(subject, facts)
          if (proof === undefined || facts.path === undefined || facts.run.proven.tenantId !== undefined)
            return undefined
          return {
            text: `Correct PLATFORM_TENANT_ID: ${facts.host} has nothing at ${facts.path}.${proven(proof)}`,
            ...changeTo(facts, 'tenantId'),
          }
        },
      ),
    ],
  },
  THROTTLED: {
    title: ({ name }) => `Too many requests to ${name}`,
    cause: ({ name }) => `Status 429: ${name} limits the number of requests.`,
    fix: (_subject, { host, retryAfterSeconds }) => {
      const wait =
        host === undefined || retryAfterSeconds === undefined
          ? 'Wait for the time that the host requests'
          : `Wait ${retryAfterSeconds} s, as ${host} requests`
      return `${wait}, and check that no other workload with this identity sends requests in a loop.`
    },
  },
  HTTP_ERROR: {
    title: ({ name }) => `Error status from ${name}`,
    cause: ({ name }) =>
      `The host of ${name} returned an error status: the service is out of order, or a gateway in front of it refuses.`,
    fix: (subject, facts) => {
      const { host, status } = facts
      const healthy = `If it is healthy, check that ${addressOf(subject, facts)} names it and not a gateway.`
      if (host === undefined || status === undefined) {
        return `Ask the operator of ${subject.name} for its state. ${healthy}`
      }
      return askThenCorrect(subject, facts, `why it returns ${status}`, healthy)
    },
    fixes: (subject) => [samePage, workedBefore, gatewayPage(subject)],
  },
  RESPONSE_TOO_LARGE: {
    title: ({ name }) => `Response from ${name} too large`,
    cause: ({ name }) => `The response from ${name} exceeds the limit of 1 MiB, far above any genuine response.`,
    fix: (subject, facts) => {
      const { host } = facts
      const proof = proofOf(subject, facts)
      if (proof !== undefined) return `Ask the operator of ${host ?? subject.name} what responds there.${proven(proof)}`
      const what = host === undefined ? ', and not a gateway or portal' : `: something else responds at ${host}`
      return `Check that ${addressOf(subject, facts)} names the service${what}.`
    },
    fixes: () => [workedBefore],
  },
  RESPONSE_INVALID: {
    title: ({ name }) => `Invalid response from ${name}`,
    cause: ({ name }) =>
      `The response from the address of ${name} breaks its protocol: a portal, a gateway or another service responds.`,
    fix: (subject, facts) => {
      const { host } = facts
      const proof = proofOf(subject, facts)
      if (proof !== undefined) {
        return `Ask the network team to let this host pass the gateway or sign-in page that responds instead of ${subject.name} at ${host}.${proven(proof)}`
      }
      const start = host === undefined ? 'Correct' : `If ${host} is not the service, correct`
      return `${start} ${addressOf(subject, facts)}. If a sign-in page of the network responds, ask the network team to exempt this host.`
    },
    fixes: (subject) => [samePage, workedBefore, ...ifAuthority(subject, setAuthority), gatewayPage(subject)],
  },
} as const satisfies Readonly<Record<string, FaultText>>

/** A fault of a connection or of its response. */
export type NetworkFault = keyof typeof faults

/** A wrong local clock makes dates look wrong, so it is named unless a host agrees with it. */
function ifDatesAreCorrect(clock: Facts['run']['clock']): string {
  return clock === 'agrees' ? clockProof : " If its dates are correct, synchronize this machine's clock (NTP)."
}
