type OfHost =
  | 'host'
  | 'address'
  | 'sibling'
  | 'siblingAddress'
  | 'serverFailure'
  | 'errno'
  | 'path'
  | 'otherPath'
  | 'tokenPath'
  | 'receivedBytes'
type OfResponse = 'addressWithTls' | 'status' | 'retryAfterSeconds' | 'location' | 'movedTo' | 'errorCode' | 'supportId'
type OfCertificate = 'validTo' | 'validFrom' | 'sha256' | 'sentBy' | 'tlsCode' | 'trustedSha256' | 'nodeVersion'
type OfTrust = 'unreadable' | 'withoutCertificate' | 'incompleteFile' | 'incompleteStore'
type OfProxy = 'proxy' | 'proxyStatus' | 'proxyError' | 'proxyFile' | 'proxyToSet' | 'unsupportedAuthentication'
type OfExemption =
  | 'exempted'
  | 'exemptionVariable'
  | 'exemptingEntry'
  | 'ignoredEntry'
  | `account${'Malformed' | 'Missing' | 'Refused'}`
type OfFailedProxy = `${'unknown' | 'unresolved' | 'silent' | 'waiting' | 'plain' | 'tls' | 'distrusted'}Proxy`
type OfSettings =
  | 'sharedTenant'
  | 'modeToSet'
  | 'container'
  | 'secretVariable'
  | 'secretExpired'
  | 'secretWrong'
  | 'opensslCode'
  | 'fips'
  | 'version'
type OfLogin =
  | 'error'
  | 'errorNumber'
  | 'correlationId'
  | 'traceId'
  | 'tokenHost'
  | 'certificateExpiredAt'
  | 'certificateValidFrom'
type OfTenant = 'tenantId' | 'tenantRegion' | 'platformCloud' | 'graphHost' | 'expectedTenant'
type OfAssertion = `assertion${'Time' | 'Form' | 'ExpiredAt' | 'Issuer' | 'Subject' | 'Audience'}` | 'federatedAudience'
type OfApplication = 'clientId' | 'applicationDisabled' | 'assignmentMissing' | 'consentMissing' | 'requestedVersion'
type OfToken = 'notBefore' | 'expiredAt' | 'audience' | 'skewSeconds' | 'theirs' | 'ours'
type OfCloud = 'publishedResourceManager' | `${'challenge' | 'published'}${'Authority' | 'Audience'}`

export type EvidenceName =
  | (OfHost | OfResponse | OfCertificate | OfTrust | OfProxy | OfExemption | OfFailedProxy)
  | (OfSettings | OfLogin | OfTenant | OfAssertion | OfApplication | OfToken | OfCloud)
  | ((typeof phrases)[number] | keyof typeof otherShapes)

/** The values that prove a failure, by name, such as `issuer`. Text of other systems; never a secret. */
export type Evidence = Readonly<Partial<Record<EvidenceName, string>>>

/** Phrases of this service, and texts that the transport has bounded: any characters. */
const phrases = [
  ...([
    'addressKind',
    'servers',
    'reason',
    'contentType',
    'title',
    'words',
    'server',
    'sameAt',
    'sameIssuerAt',
  ] as const),
  ...(['weakness', 'rule', 'trustStore', 'caFile', 'variable', 'accountSetting', 'setting', 'missing'] as const),
  ...(['problem', 'conversion', 'secretShape', 'tenantCloud', 'agreeingHosts', 'owner', 'service', 'role'] as const),
  ...(['modeVariables', 'network', 'supportedVersions', 'allowedAudiences', 'differingFields'] as const),
] as const

/** An identifier, a host, a date, or a URL without spaces: nothing that reads as an instruction. */
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

/** The shape that a value must have to become a part of a fix, so that no remote text can instruct the reader. Default is an identifier. */
const shapes: ReadonlyMap<string, readonly RegExp[]> = new Map<string, readonly RegExp[]>([
  ...phrases.map((name) => [name, [/^/]] as const),
  ...Object.entries(otherShapes),
])

/** The evidence that a fix may name: values that have the shape of their name. */
export function shapedEvidence(evidence: Evidence): Evidence {
  const hasShape = ([name, value]: [string, string]) =>
    (shapes.get(name) ?? [identifier]).some((shape) => shape.test(value))
  return Object.fromEntries(Object.entries(evidence).filter(hasShape))
}
