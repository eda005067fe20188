/** An identifier, a host, a date, or a URL without spaces: nothing that reads as an instruction. */
const identifier = /^[^\s\p{C}"'`<>|;&$(){}\\]{1,200}$/u
const quoted = /^"[\w.:/-]{1,120}"$/
/** At most 64 characters (X.520). */
const commonName = /^"[\p{L}\p{N} .,'&()_-]{1,64}"$/u
const nameOrIdentifier = /^(?:"[\p{L}\p{N} .,'&()_-]{1,64}"|[^\s\p{C}"'`<>|;&$(){}\\]{1,200})$/u
const listOfNames = /^[\w.*:-]{1,200}(, [\w.*:-]{1,200}){0,2}( and \d+ more)?$/
/** A phrase of this service or a text that the transport has bounded: any characters. */
const phrase = /^/

/**
 * Every name of evidence, with the shape that its value must have to become a part of a fix, so that no remote text can instruct the reader.
 * Names whose value is only shown have the shape of an identifier too.
 */
const shapes = {
  // A host, its address and its response.
  host: identifier,
  address: identifier,
  addressKind: phrase,
  sibling: identifier,
  siblingAddress: identifier,
  servers: phrase,
  serverFailure: identifier,
  reason: phrase,
  errno: identifier,
  path: identifier,
  otherPath: identifier,
  tokenPath: identifier,
  status: identifier,
  contentType: phrase,
  retryAfterSeconds: identifier,
  location: identifier,
  movedTo: identifier,
  addressWithTls: identifier,
  title: phrase,
  server: phrase,
  supportId: identifier,
  errorCode: identifier,
  sameAt: phrase,
  // Certificates.
  issuer: nameOrIdentifier,
  selfSigned: commonName,
  expiredIssuer: commonName,
  weakCertificate: commonName,
  weakness: phrase,
  rule: phrase,
  names: listOfNames,
  validTo: identifier,
  validFrom: identifier,
  tlsCode: identifier,
  nodeVersion: identifier,
  extraCaCerts: phrase,
  trustStore: phrase,
  unreadable: identifier,
  withoutCertificate: identifier,
  incompleteFile: identifier,
  incompleteStore: identifier,
  caFile: phrase,
  keyId: identifier,
  trustedKeyId: identifier,
  sha256: identifier,
  sentBy: identifier,
  // Proxies.
  proxy: identifier,
  variable: phrase,
  exempted: identifier,
  exemptionVariable: identifier,
  exemptingEntry: identifier,
  ignoredEntry: identifier,
  proxyToSet: identifier,
  accountMalformed: identifier,
  accountMissing: identifier,
  accountRefused: identifier,
  unknownProxy: identifier,
  unresolvedProxy: identifier,
  silentProxy: identifier,
  waitingProxy: identifier,
  plainProxy: identifier,
  tlsProxy: identifier,
  distrustedProxy: identifier,
  unsupportedAuthentication: identifier,
  proxyStatus: identifier,
  proxyError: identifier,
  proxyFile: identifier,
  // Settings and files.
  addressSetting: phrase,
  accountSetting: phrase,
  setting: phrase,
  missing: phrase,
  problem: phrase,
  sharedTenant: identifier,
  secretVariable: identifier,
  secretShape: phrase,
  modeToSet: identifier,
  version: identifier,
  opensslCode: identifier,
  fips: identifier,
  container: identifier,
  // The login authority and its tokens.
  error: identifier,
  errorNumber: identifier,
  correlationId: identifier,
  traceId: identifier,
  tokenHost: identifier,
  owner: phrase,
  tenantCloud: phrase,
  tenantRegion: identifier,
  platformCloud: identifier,
  graphHost: identifier,
  assertionTime: identifier,
  assertionForm: identifier,
  assertionExpiredAt: identifier,
  assertionIssuer: identifier,
  assertionSubject: identifier,
  assertionAudience: identifier,
  federatedAudience: identifier,
  certificateExpiredAt: identifier,
  certificateValidFrom: identifier,
  secretExpired: identifier,
  applicationDisabled: identifier,
  assignmentMissing: identifier,
  consentMissing: identifier,
  tokenAudience: quoted,
  tokenTenant: quoted,
  notBefore: identifier,
  expiredAt: identifier,
  audience: identifier,
  tenantId: identifier,
  clientId: identifier,
  skewSeconds: identifier,
  theirs: identifier,
  ours: identifier,
  agreeingHosts: phrase,
  // What the services and the metadata of the cloud name.
  challengeAuthority: identifier,
  challengeAudience: identifier,
  publishedAuthority: identifier,
  publishedAudience: identifier,
  role: phrase,
  network: phrase,
  service: phrase,
  requestedVersion: identifier,
  supportedVersions: phrase,
} as const satisfies Readonly<Record<string, RegExp>>

export type EvidenceName = keyof typeof shapes

/** The values that prove a failure, by name, such as `issuer`. Text of other systems; never a secret. */
export type Evidence = Readonly<Partial<Record<EvidenceName, string>>>

/** The evidence that a fix may name: values that have the shape of their name. */
export function shapedEvidence(evidence: Evidence): Evidence {
  return Object.fromEntries(
    Object.entries(evidence).filter(
      ([name, value]) => Object.hasOwn(shapes, name) && shapes[name as EvidenceName].test(value),
    ),
  )
}
