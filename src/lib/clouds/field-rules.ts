import * as z from 'zod/v4/core'
import { tenantPattern } from '../base/names.ts'

/** The texts of a field for documents, and the variables that override it. */
export interface FieldFacts {
  readonly description: string
  readonly examples?: readonly unknown[]
  /** The first variable that is set wins. */
  readonly overrides?: readonly string[]
}

/** The facts of each field. `z.toJSONSchema` takes the texts of schema.json from here. */
export const fieldFacts = z.registry<FieldFacts>()

// Only the first broken rule is reported, so the most specific rule comes first. Each list begins with the length limit, so that no pattern is
// tested on a huge text. schema.json contains the patterns too, so they use only the syntax that all languages share: no flags, no lookaround.

/** A rule of a value, with the same rule as keywords of a JSON schema where they can express it. */
export interface Rule<T = string> {
  readonly message: string
  readonly isMet: (value: T) => boolean
  readonly keywords?: Readonly<Record<string, unknown>>
}

/** One check of zod for all rules of a value, because each check costs time at every cold start. */
function check<T>(...rules: readonly Rule<T>[]): z.$ZodCheck<T> {
  const findBroken = ({ value: input, issues }: z.ParsePayload<T>) => {
    const broken = rules.find(({ isMet }) => !isMet(input))
    if (broken !== undefined) issues.push({ code: 'custom', message: broken.message, input, continue: false })
  }
  return z._check(findBroken, { params: { rules } })
}

/** The schema of a text. Fields with the same rules share it. */
const text = (...rules: readonly Rule[]) =>
  new z.$ZodString({ type: 'string', error: () => 'must be a string', checks: [check(...rules)] })

const has = (pattern: RegExp, message: string): Rule => ({
  message,
  isMet: (value) => pattern.test(value),
  keywords: { pattern: pattern.source },
})

const hasNot = (pattern: RegExp, message: string): Rule => ({
  message,
  isMet: (value) => !pattern.test(value),
  keywords: { not: { pattern: pattern.source } },
})

/** Counts code points, as JSON schema does. */
const atMost = (most: number): Rule => ({
  message: `must be at most ${most} characters long`,
  isMet: (value) => value.length <= most || (value.length <= 2 * most && Array.from(value).length <= most),
  keywords: { maxLength: most },
})

/* oxlint-disable no-control-regex -- The patterns match control characters on purpose. */

/** A terminal obeys escape sequences. */
const noControls = hasNot(/[\u0000-\u001F\u007F-\u009F]/, 'must not contain control characters')

const notEmpty = has(/\S/, 'must not be empty')

const urlCharacters = [
  atMost(2048),
  hasNot(/[\s\\]/, 'must be an absolute URL without spaces or backslashes'),
  // Also invisible characters: joiners, marks, bidirectional controls, line separators and noncharacters.
  hasNot(
    /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]/,
    'must be an absolute URL without control characters',
  ),
]

const noUser = hasNot(/^[^/?#]*\/\/[^/?#]*@/, 'must not contain user information')
const noQuery = has(/^[^?#]*$/, 'must not contain a query or a fragment')
const endsWithSlash = has(/\/$/, 'must end with "/"')

/** Forbidden path segments: a GUID, `common` and its like, a domain name, and a template such as `{tenant}`. */
const noTenant = [
  /[^/]\/[0-9A-Fa-f]{8}-?([0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}(\/|$)/,
  /[^/]\/([Cc][Oo][Mm][Mm][Oo][Nn]|[Oo][Rr][Gg][Aa][Nn][Ii][Zz][Aa][Tt][Ii][Oo][Nn][Ss]|[Cc][Oo][Nn][Ss][Uu][Mm][Ee][Rr][Ss])(\/|$)/,
  /[^/]\/[^/]*\.[A-Za-z]{2,63}(\/|$)/,
  /[^/]\/\{/,
].map((pattern) => hasNot(pattern, 'must not contain a tenant (set tenantId instead)'))

const noScope = hasNot(
  /\/(\.|%2[Ee])[Dd][Ee][Ff][Aa][Uu][Ll][Tt]\/*$/,
  'must not end with ".default", which the service appends',
)

const https = { scheme: /^[Hh][Tt][Tt][Pp][Ss]:/, starts: 'https://' }
const http = { scheme: /^[Hh][Tt][Tt][Pp][Ss]?:/, starts: 'https:// or http://' }

function url(kind: typeof https | undefined, ...last: readonly Rule[]): z.$ZodString {
  const message = `must be an absolute URL${kind === undefined ? '' : ` that starts with ${kind.starts}`}`
  return text(
    ...urlCharacters,
    // The URL parser accepts missing and surplus slashes, so the pattern checks them.
    has(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]/, message),
    ...(kind === undefined ? [] : [has(kind.scheme, `must start with ${kind.starts}`)]),
    noUser,
    ...last,
    { message, isMet: (value) => URL.canParse(value) },
  )
}

export const label = text(atMost(256), notEmpty, noControls)

/** Text with line breaks. */
export const prose = text(
  atMost(16_384),
  hasNot(
    /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/,
    'must not contain control characters other than tabs and line breaks',
  ),
)

/** The credential library accepts only an https authority. */
export const authorityUrl = url(https, noQuery, ...noTenant, endsWithSlash)

export const baseUrl = url(http, noQuery, endsWithSlash)

/** An address that people open, or that the service requests unchanged. */
export const address = url(http)

/** An address or identifier in the spelling that other tools expect, with or without a final slash. */
export const toolUrl = url(undefined, noQuery)

/** An identifier in the form of a URL. It may have any scheme and need not resolve. */
export const audience = url(undefined, noQuery, noScope, endsWithSlash)

/** An identifier without a final slash, such as `api://AzureADTokenExchange`. */
export const identifier = text(...urlCharacters, has(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]/, 'must be an absolute URL'))

const tenantMessage = 'must be a tenant: a GUID, a domain name or "adfs" (remove the field if there is none)'
// In some languages `$` also matches before a final line break, so whitespace has a separate rule.
export const tenant = text(atMost(256), hasNot(/\s/, tenantMessage), has(tenantPattern, tenantMessage))

const suffixMessage = 'must be a DNS suffix: labels of letters, digits and hyphens, each after a "."'
export const dnsSuffix = text(
  atMost(253),
  has(/^\./, 'must start with "."'),
  hasNot(/\s/, suffixMessage),
  has(/^(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/, suffixMessage),
  // If the last label of a host is a number, the URL parser reads an IPv4 address.
  {
    message: 'must be a DNS suffix that makes a host name',
    isMet: (value) => URL.canParse(`https://name${value}`),
  },
)

/** Without a port. */
export const hostName = text(
  atMost(253),
  has(
    /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/,
    'must be a host name: labels of letters, digits and hyphens with a "." between them',
  ),
)

/** A key that a program can write as a name. */
export const serviceName = text(
  atMost(64),
  has(/^[a-z][A-Za-z0-9]*$/, 'must consist of letters and digits, and start with a lowercase letter'),
)

/** Names that no service may have, because they are fields of a profile or aliases for them. */
export const notAService =
  /^(arm|resourceManager|login|name|displayName|environment|authorityHost|resourceManagerEndpoint|resourceManagerAudience|tenantId|portalUrl|metadataEndpoint|serviceDnsSuffixes|serviceAudiences|notes|services|aliases|toolNames|federatedAudience|guessedHosts|absent)$/

const absentMessage =
  'must be a path of serviceDnsSuffixes, serviceAudiences.storage, serviceAudiences.keyVault or the name of a service'

/** The path of a suffix or audience, or the name of a service. Every cloud has a login authority and a resource manager. */
export const absentName = text(
  atMost(64),
  has(
    /^(serviceDnsSuffixes\.(storage|keyVault|sqlServer|containerRegistry)|serviceAudiences\.(storage|keyVault)|[a-z][A-Za-z0-9]*)$/,
    absentMessage,
  ),
  hasNot(notAService, absentMessage),
)

/** The id of an application of the identity provider. */
export const applicationId = text(
  has(/^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/, 'must be an application id (a GUID)'),
)

/** A TCP port. */
const portRule: Rule<number> = {
  message: 'must be a whole number from 1 to 65535',
  isMet: (value) => Number.isInteger(value) && value >= 1 && value <= 65_535,
  keywords: { type: 'integer', minimum: 1, maximum: 65_535 },
}
export const port = new z.$ZodNumber({ type: 'number', error: () => portRule.message, checks: [check(portRule)] })
