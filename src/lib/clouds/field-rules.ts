import * as z from 'zod/mini'
import { tenantPattern } from '../base/names.ts'

/** What documents say about a field, and the variables that override it. */
export interface FieldFacts {
  readonly description: string
  readonly examples?: readonly unknown[]
  /** The first variable that is set wins. */
  readonly overrides?: readonly string[]
}

/** The facts of each field. `z.toJSONSchema` reads its texts here. */
export const fieldFacts = z.registry<FieldFacts>()

// The first rule that a text breaks is its problem, so the most specific rule comes first. The first of all limits the length, so that no later
// rule tests a huge text. schema.json repeats the patterns, so they use only the syntax that all languages share, without flags or lookaround.

export type Rule = z.core.$ZodCheck<string>

/** @param keywords The same rule in a JSON schema, for a rule that zod can't translate. */
const rule = (message: string, isMet: (value: string) => boolean, keywords: Record<string, unknown> = {}): Rule =>
  z.refine(isMet, { error: message, abort: true, params: keywords })

const has = (pattern: RegExp, message: string): Rule => z.regex(pattern, { error: message, abort: true })

const hasNot = (pattern: RegExp, message: string): Rule =>
  rule(message, (value) => !pattern.test(value), { not: { pattern: pattern.source } })

/** Counts characters, as a JSON schema does. */
const atMost = (most: number): Rule => {
  const fits = (value: string) => value.length <= most || (value.length <= 2 * most && Array.from(value).length <= most)
  return rule(`must be at most ${most} characters long`, fits, { maxLength: most })
}

/* oxlint-disable no-control-regex -- The patterns match control characters on purpose. */

/** Escape sequences would move the cursor of a terminal. */
const noControls = hasNot(/[\u0000-\u001F\u007F-\u009F]/, 'must not hold control characters')

const notEmpty = has(/\S/, 'must not be empty')

const urlCharacters = [
  atMost(2048),
  hasNot(/[\s\\]/, 'must be an absolute URL without spaces or backslashes'),
  // Also joiners, marks, bidirectional controls, line separators and noncharacters, which nobody sees.
  hasNot(
    /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]/,
    'must be an absolute URL without control characters',
  ),
]

/** The rules without a JSON schema keyword. */
export const checkedByCodeOnly =
  'ports up to 65535, percent escapes of a host name (https://%zz/), suffixes that end like an IPv4 address (.10.0.0.1), and that absent names no field with a value'

const noUser = hasNot(/^[^/?#]*\/\/[^/?#]*@/, 'must not carry user information')
const noQuery = has(/^[^?#]*$/, 'must not carry a query or a fragment')
const endsWithSlash = has(/\/$/, 'must end with "/"')

/** A path segment that is a GUID, one of the words for any tenant, a domain name, or a template such as `{tenant}`. */
const noTenant = [
  /[^/]\/[0-9A-Fa-f]{8}-?([0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}(\/|$)/,
  /[^/]\/([Cc][Oo][Mm][Mm][Oo][Nn]|[Oo][Rr][Gg][Aa][Nn][Ii][Zz][Aa][Tt][Ii][Oo][Nn][Ss]|[Cc][Oo][Nn][Ss][Uu][Mm][Ee][Rr][Ss])(\/|$)/,
  /[^/]\/[^/]*\.[A-Za-z]{2,63}(\/|$)/,
  /[^/]\/\{/,
].map((pattern) => hasNot(pattern, 'must not hold a tenant, which is appended to it: set tenantId'))

const noScope = hasNot(
  /\/(\.|%2[Ee])[Dd][Ee][Ff][Aa][Uu][Ll][Tt]\/*$/,
  'must be the audience alone: ".default" is appended to it',
)

const https = { scheme: /^[Hh][Tt][Tt][Pp][Ss]:/, starts: 'https://' }
const http = { scheme: /^[Hh][Tt][Tt][Pp][Ss]?:/, starts: 'https:// or http://' }

function url(kind: typeof https | undefined, ...last: readonly Rule[]): readonly Rule[] {
  const message = `must be an absolute URL${kind === undefined ? '' : ` that starts with ${kind.starts}`}`
  return [
    ...urlCharacters,
    // The URL parser repairs missing and surplus slashes.
    has(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]/, message),
    ...(kind === undefined ? [] : [has(kind.scheme, `must start with ${kind.starts}`)]),
    noUser,
    ...last,
    rule(message, (value) => URL.canParse(value)),
  ]
}

/** A text on one line. */
export const label = [atMost(256), notEmpty, noControls]

/** Text of more than one line. */
export const prose = [
  atMost(16_384),
  hasNot(
    /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/,
    'must not hold control characters other than tabs and line breaks',
  ),
]

/** A login authority must be https, because the credential library refuses anything else. */
export const authorityUrl = url(https, noQuery, ...noTenant, endsWithSlash)

export const baseUrl = url(http, noQuery, endsWithSlash)

/** An address for people or for one request. */
export const address = url(http)

/** An address or an identifier in the spelling that other tools expect. */
export const toolUrl = url(undefined, noQuery)

/** An identifier in the form of a URL: it need not resolve, and may have any scheme. */
export const audience = url(undefined, noQuery, noScope, endsWithSlash)

/** An identifier that resolves nowhere, such as `api://AzureADTokenExchange`. */
export const identifier = [...urlCharacters, has(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]/, 'must be an absolute URL')]

const tenantMessage = 'must be a tenant: a GUID, a domain name or "adfs" (remove the field when there is none)'
// In some languages `$` matches before a final line break.
export const tenant = [atMost(256), hasNot(/\s/, tenantMessage), has(tenantPattern, tenantMessage)]

const suffixMessage = 'must be a DNS suffix: labels of letters, digits and hyphens, each after a "."'
export const dnsSuffix = [
  atMost(253),
  has(/^\./, 'must start with "."'),
  hasNot(/\s/, suffixMessage),
  has(/^(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/, suffixMessage),
  // If the last label of a host is a number, the URL parser reads an IPv4 address.
  rule('must be a DNS suffix that makes a host name', (value) => URL.canParse(`https://name${value}`)),
]

/** A host name, without a port. */
export const hostName = [
  atMost(253),
  has(
    /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/,
    'must be a host name: labels of letters, digits and hyphens with a "." between them',
  ),
]

/** A key that a program can write as a name. */
export const serviceName = [
  atMost(64),
  has(/^[a-z][A-Za-z0-9]*$/, 'must be a name of letters and digits that starts with a small letter'),
]

/** No service has one of these names. */
export const notAService =
  /^(arm|resourceManager|login|name|displayName|environment|authorityHost|resourceManagerEndpoint|resourceManagerAudience|tenantId|portalUrl|metadataEndpoint|serviceDnsSuffixes|serviceAudiences|notes|services|aliases|toolNames|federatedAudience|absent)$/

const absentMessage =
  'must be a path of serviceDnsSuffixes, serviceAudiences.storage, serviceAudiences.keyVault or the name of a service'

/**
 * What a cloud may declare absent: the suffix or the audience of a service, or a service by name. Every cloud has a login authority and a
 * resource manager. A test compares the last list with the fields of the schema.
 */
export const absentName = [
  atMost(64),
  has(
    /^(serviceDnsSuffixes\.(storage|keyVault|sqlServer|containerRegistry)|serviceAudiences\.(storage|keyVault)|[a-z][A-Za-z0-9]*)$/,
    absentMessage,
  ),
  hasNot(notAService, absentMessage),
]
