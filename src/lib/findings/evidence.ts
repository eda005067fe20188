type OfHost = 'host' | 'address' | 'addressKind' | 'sibling' | 'siblingAddress' | 'servers' | 'serverFailure'
type OfFailure = 'reason' | 'errno' | 'path' | 'otherPath' | 'tokenPath' | 'addressWithTls'
type OfResponse = 'status' | 'contentType' | 'retryAfterSeconds' | 'location' | 'movedTo' | 'errorCode'
type OfPage = 'title' | 'server' | 'supportId' | 'sameAt' | 'sameIssuerAt'
type OfCertificate = 'issuer' | 'selfSigned' | 'expiredIssuer' | 'names' | 'validTo' | 'validFrom' | 'sha256' | 'sentBy'
type OfRefusedCertificate = 'tlsCode' | 'rule' | 'weakCertificate' | 'weakness' | 'trustedSha256' | 'nodeVersion'
type OfTrust = 'trustStore' | 'caFile' | 'unreadable' | 'withoutCertificate'
type OfIncompleteTrust = 'incompleteFile' | 'incompleteStore'
type OfProxy = 'proxy' | 'variable' | 'proxyStatus' | 'proxyError' | 'proxyFile' | 'proxyToSet'
type OfExemption = 'exempted' | 'exemptionVariable' | 'exemptingEntry' | 'ignoredEntry'
type OfProxyAccount = 'accountMalformed' | 'accountMissing' | 'accountRefused' | 'unsupportedAuthentication'
type OfFailedProxy = 'unknownProxy' | 'unresolvedProxy' | 'silentProxy' | 'waitingProxy'
type OfProxyTls = 'plainProxy' | 'tlsProxy' | 'distrustedProxy'
type OfSettings =
  | 'accountSetting'
  | 'setting'
  | 'missing'
  | 'problem'
  | 'conversion'
  | 'sharedTenant'
  | 'modeToSet'
  | 'container'
type OfSecret = 'secretVariable' | 'secretShape' | 'secretExpired' | 'opensslCode' | 'fips' | 'version'
type OfLogin = 'error' | 'errorNumber' | 'correlationId' | 'traceId' | 'tokenHost'
type OfTenant = 'tenantId' | 'tenantCloud' | 'tenantRegion' | 'platformCloud' | 'graphHost'
type OfAssertion = `assertion${'Time' | 'Form' | 'ExpiredAt' | 'Issuer' | 'Subject' | 'Audience'}` | 'federatedAudience'
type OfApplication = 'clientId' | 'applicationDisabled' | 'assignmentMissing' | 'consentMissing'
type OfClientCertificate = 'certificateExpiredAt' | 'certificateValidFrom'
type OfToken = 'tokenAudience' | 'tokenTenant' | 'notBefore' | 'expiredAt' | 'audience'
type OfClock = 'skewSeconds' | 'theirs' | 'ours' | 'agreeingHosts'
type OfCloud =
  | 'differingFields'
  | 'publishedResourceManager'
  | `${'challenge' | 'published'}${'Authority' | 'Audience'}`
type OfService =
  | 'allowedAudiences'
  | 'expectedTenant'
  | 'service'
  | 'owner'
  | 'role'
  | 'network'
  | 'requestedVersion'
  | 'supportedVersions'

export type EvidenceName =
  | (OfHost | OfFailure | OfResponse | OfPage)
  | (OfCertificate | OfRefusedCertificate | OfTrust | OfIncompleteTrust)
  | (OfProxy | OfExemption | OfProxyAccount | OfFailedProxy | OfProxyTls)
  | (OfSettings | OfSecret | OfLogin | OfTenant | OfAssertion | OfApplication | OfClientCertificate)
  | (OfToken | OfClock | OfCloud | OfService)

/** The values that prove a failure, by name, such as `issuer`. Text of other systems; never a secret. */
export type Evidence = Readonly<Partial<Record<EvidenceName, string>>>

/** An identifier, a host, a date, or a URL without spaces: nothing that reads as an instruction. */
const identifier = /^[^\s\p{C}"'`<>|;&$(){}\\]{1,200}$/u
const quoted = /^"[\w.:/-]{1,120}"$/
/** At most 64 characters (X.520). */
const commonName = /^"[\p{L}\p{N} .,'&()_-]{1,64}"$/u
const listOfNames = /^[\w.*:-]{1,200}(, [\w.*:-]{1,200}){0,2}( and \d+ more)?$/

/** Phrases of this service, and texts that the transport has bounded: any characters. */
const phrases: readonly EvidenceName[] = [
  ...(['addressKind', 'servers', 'reason', 'contentType', 'title', 'server', 'sameAt', 'sameIssuerAt'] as const),
  ...(['weakness', 'rule', 'trustStore', 'caFile', 'variable'] as const),
  ...(['accountSetting', 'setting', 'missing', 'problem', 'conversion', 'secretShape', 'tenantCloud'] as const),
  ...([
    'agreeingHosts',
    'owner',
    'service',
    'role',
    'network',
    'supportedVersions',
    'allowedAudiences',
    'differingFields',
  ] as const),
]

/** The shape that a value must have to become a part of a fix, so that no remote text can instruct the reader. Default is an identifier. */
const shapes: ReadonlyMap<string, readonly RegExp[]> = new Map<EvidenceName, readonly RegExp[]>([
  ...phrases.map((name) => [name, [/^/]] as const),
  ['issuer', [commonName, identifier]],
  ['selfSigned', [commonName]],
  ['expiredIssuer', [commonName]],
  ['weakCertificate', [commonName]],
  ['names', [listOfNames]],
  ['tokenAudience', [quoted]],
  ['tokenTenant', [quoted]],
])

/** The evidence that a fix may name: values that have the shape of their name. */
export function shapedEvidence(evidence: Evidence): Evidence {
  const hasShape = ([name, value]: [string, string]) =>
    (shapes.get(name) ?? [identifier]).some((shape) => shape.test(value))
  return Object.fromEntries(Object.entries(evidence).filter(hasShape))
}
