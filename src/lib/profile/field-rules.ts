import type { FieldPath } from './field-path.ts'
import { dnsSuffixPattern, labelPattern, tenantPattern } from './patterns.ts'

/** A rule answers what is wrong with a value, as the end of a sentence that starts with the field's name. */
type Rule = (value: string) => string | undefined

const nonEmpty: Rule = (value) => (value.trim() === '' ? 'must not be empty' : undefined)

const onOneLine: Rule = (value) => (labelPattern.test(value) ? undefined : 'must not hold control characters')

const endsWithSlash: Rule = (value) => (value.endsWith('/') ? undefined : 'must end with "/"')

const scheme =
  (...allowed: readonly string[]): Rule =>
  (value) => {
    if (/[\s\\]/.test(value)) return 'must be an absolute URL without spaces or backslashes'
    const url = URL.parse(value)
    // The URL parser mends missing and surplus slashes, so the text itself must have the two after its scheme.
    const start = url === null ? '' : `${url.protocol}//`
    const rest = value.slice(start.length)
    if (url === null || value.slice(0, start.length).toLowerCase() !== start || rest === '' || rest.startsWith('/')) {
      return `must be an absolute URL${allowed.length > 0 ? ` that starts with ${allowed.join(' or ')}` : ''}`
    }
    if (allowed.length > 0 && !allowed.includes(start)) return `must start with ${allowed.join(' or ')}`
    if (url.username !== '' || url.password !== '') return 'must not carry user information'
    if (value.includes('?') || value.includes('#')) return 'must not carry a query or a fragment'
    return undefined
  }

const startsWithDot: Rule = (value) => (value.startsWith('.') ? undefined : 'must start with "."')

const dnsLabels: Rule = (value) =>
  dnsSuffixPattern.test(value)
    ? undefined
    : 'must be a DNS suffix: labels of letters, digits and hyphens, each after a "."'

// The URL parser takes a host whose last label is a number for an IPv4 address.
const makesHost: Rule = (value) =>
  URL.canParse(`https://name${value}`) ? undefined : 'must be a DNS suffix that makes a host name'

const tenant: Rule = (value) =>
  tenantPattern.test(value)
    ? undefined
    : 'must be a tenant: a GUID, a domain name or "adfs" (remove the field when there is none)'

const audience = [scheme(), endsWithSlash]
const suffix = [startsWithDot, dnsLabels, makesHost]

/**
 * The runtime phase: per field, the rules that hold beyond its type, most telling first.
 * A login authority must be https because the credential library refuses anything else.
 */
export const fieldRules: Readonly<Partial<Record<FieldPath, readonly Rule[]>>> = {
  name: [nonEmpty, onOneLine],
  displayName: [nonEmpty, onOneLine],
  authorityHost: [scheme('https://'), endsWithSlash],
  resourceManagerEndpoint: [scheme('https://', 'http://'), endsWithSlash],
  resourceManagerAudience: audience,
  tenantId: [tenant],
  portalUrl: [scheme('https://', 'http://')],
  metadataEndpoint: [scheme('https://', 'http://')],
  'serviceDnsSuffixes.storage': suffix,
  'serviceDnsSuffixes.keyVault': suffix,
  'serviceDnsSuffixes.sqlServer': suffix,
  'serviceDnsSuffixes.containerRegistry': suffix,
  'serviceAudiences.arm': audience,
  'serviceAudiences.storage': audience,
  'serviceAudiences.keyVault': audience,
}
