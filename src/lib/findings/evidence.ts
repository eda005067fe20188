/** A host, a date, a URL or another identifier. It has no spaces, so it can't read as an instruction. */
const identifier = /^[^\s\p{C}"'`<>|;&$(){}\\]{1,200}$/u
/** At most 64 characters (X.520). */
const commonName = /^"[\p{L}\p{N} .,'&()_-]{1,64}"$/u
const quoted = /^"[\w.:/-]{1,120}"$/

/** Names of evidence with the shape of an identifier. */
const identifiers = [
  ['host', 'address', 'sibling', 'siblingAddress', 'path', 'otherPath', 'receivedBytes', 'addressToSet'],
  ['status', 'errorCode', 'location', 'retryAfterSeconds', 'supportId', 'error', 'errorNumber'],
  ['correlationId', 'traceId', 'validFrom', 'validTo', 'sha256', 'trustedSha256', 'sentBy', 'expiredAt', 'fips'],
  ['proxy', 'proxyToSet', 'authentication', 'noProxy', 'exemptingEntry', 'ignoredEntry', 'variable'],
  ['modeToSet', 'version', 'tokenHost', 'sharedTenant', 'tenantId', 'clientId', 'expectedTenant'],
  ['platformCloud', 'graphHost', 'subject', 'assertionAudience', 'federatedAudience', 'audience'],
  ['scope', 'scopeToUse', 'theirs', 'ours', 'skewSeconds', 'challengeAuthority', 'challengeAudience'],
  ['publishedResourceManager', 'publishedAuthority', 'publishedAudience'],
] as const

/** Names of evidence with any characters: phrases of this service, and texts that the transport has shortened and cleaned. */
const phrases = [
  ['addressKind', 'problem', 'reason', 'servers', 'contentType', 'title', 'words', 'server', 'sameAt'],
  ['sameIssuerAt', 'rule', 'trustStore', 'caFile', 'caProblem', 'missing', 'conversion', 'modeVariables'],
  ['tenantCloud', 'agreeingHosts', 'owner', 'service', 'role', 'allowedAudiences', 'supportedVersions'],
  ['differingFields', 'counterpart', 'sign'],
] as const

const otherShapes = {
  issuer: [commonName, identifier],
  selfSigned: [commonName],
  expiredIssuer: [commonName],
  names: [/^[\w.*:-]{1,200}(, [\w.*:-]{1,200}){0,2}( and \d+ more)?$/],
  tokenAudience: [quoted],
  tokenTenant: [quoted],
} as const

export type EvidenceName =
  | (typeof identifiers)[number][number]
  | (typeof phrases)[number][number]
  | keyof typeof otherShapes

/** The values that prove a failure, by name, such as `issuer`. They come from other systems, and none is a secret. */
export type Evidence = Readonly<Partial<Record<EvidenceName, string>>>

const isPhrase: ReadonlySet<string> = new Set(phrases.flat())
const shapes: ReadonlyMap<string, readonly RegExp[]> = new Map(Object.entries(otherShapes))

/** Leaves out values without the shape of their name, so that no remote text in a fix can instruct the reader. */
export function shapedEvidence(evidence: Evidence): Evidence {
  const hasShape = ([name, value]: [string, string]) =>
    isPhrase.has(name) || (shapes.get(name) ?? [identifier]).some((shape) => shape.test(value))
  return Object.fromEntries(Object.entries(evidence).filter(hasShape))
}
