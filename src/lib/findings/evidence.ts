/** The words of a text as a type. */
type Words<S extends string, Found extends string = never> = S extends `${infer First} ${infer Rest}`
  ? Words<Rest, Found | First>
  : Found | S

/** Evidence with the shape of an {@link identifier}. */
type Identifiers =
  | 'host address sibling siblingAddress serverFailure errno path otherPath tokenPath receivedBytes'
  | 'addressWithTls status retryAfterSeconds location movedTo errorCode supportId'
  | 'validTo validFrom sha256 sentBy tlsCode trustedSha256 nodeVersion'
  | 'unreadable withoutCertificate incompleteFile incompleteStore'
  | 'proxy proxyStatus proxyError proxyFile proxyToSet unsupportedAuthentication'
  | 'unknownProxy unresolvedProxy silentProxy waitingProxy plainProxy tlsProxy distrustedProxy'
  | 'exempted exemptionVariable exemptingEntry ignoredEntry accountMalformed accountMissing accountRefused'
  | 'sharedTenant modeToSet container secretVariable secretExpired secretWrong opensslCode fips version'
  | 'error errorNumber correlationId traceId tokenHost certificateExpiredAt certificateValidFrom'
  | 'tenantId tenantRegion platformCloud graphHost expectedTenant'
  | 'assertionTime assertionForm assertionExpiredAt assertionIssuer assertionSubject assertionAudience federatedAudience'
  | 'clientId applicationDisabled assignmentMissing consentMissing requestedVersion'
  | 'notBefore expiredAt audience skewSeconds theirs ours'
  | 'publishedResourceManager challengeAuthority challengeAudience publishedAuthority publishedAudience'

/** Evidence with any characters: phrases of this service, and texts that the transport has shortened and cleaned. */
const phrases = [
  'addressKind servers reason contentType title words server sameAt sameIssuerAt',
  'weakness rule trustStore caFile variable accountSetting setting missing',
  'problem conversion secretShape tenantCloud agreeingHosts owner service role',
  'modeVariables network supportedVersions allowedAudiences differingFields',
] as const

export type EvidenceName = Words<Identifiers | (typeof phrases)[number] | keyof typeof otherShapes>

/** The values that prove a failure, by name, such as `issuer`. They come from other systems, and none is a secret. */
export type Evidence = Readonly<Partial<Record<EvidenceName, string>>>

/** A host, a date, a URL or another identifier. It has no spaces, so it can't read as an instruction. */
const identifier = /^[^\s\p{C}"'`<>|;&$(){}\\]{1,200}$/u
const quoted = /^"[\w.:/-]{1,120}"$/
/** At most 64 characters (X.520). */
const commonName = /^"[\p{L}\p{N} .,'&()_-]{1,64}"$/u

const otherShapes = {
  issuer: [commonName, identifier],
  selfSigned: [commonName],
  expiredIssuer: [commonName],
  weakCertificate: [commonName],
  names: [/^[\w.*:-]{1,200}(, [\w.*:-]{1,200}){0,2}( and \d+ more)?$/],
  tokenAudience: [quoted],
  tokenTenant: [quoted],
} as const

/** A fix contains a value only if the value has this shape, so that no remote text can instruct the reader. Default is an identifier. */
const shapes: ReadonlyMap<string, readonly RegExp[]> = new Map<string, readonly RegExp[]>([
  ...phrases.flatMap((line) => line.split(' ').map((name) => [name, [/^/]] as const)),
  ...Object.entries(otherShapes),
])

/** Leaves out values without the required shape. */
export function shapedEvidence(evidence: Evidence): Evidence {
  const hasShape = ([name, value]: [string, string]) =>
    (shapes.get(name) ?? [identifier]).some((shape) => shape.test(value))
  return Object.fromEntries(Object.entries(evidence).filter(hasShape))
}
