import * as z from 'zod/mini'
import { cloudEnvironments } from './cloud-environment.ts'
import { dnsSuffixPattern, labelPattern, tenantPattern } from './patterns.ts'

// Schema phase: shapes that a pattern can say. What only a URL parser can tell is in field-rules.ts.
// Written without flags, because a JSON schema's pattern has none.
const label = z.string().check(z.regex(labelPattern))
const httpsBaseUrl = z.string().check(z.regex(/^[Hh][Tt][Tt][Pp][Ss]:\/\/[^\s\\?#@/]+\/([^\s\\?#]*\/)?$/))
const httpBaseUrl = z.string().check(z.regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s\\?#@/]+\/([^\s\\?#]*\/)?$/))
const httpUrl = z.string().check(z.regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s\\?#@/]+(\/[^\s\\?#]*)?$/))
const audience = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s\\?#@/]+\/([^\s\\?#]*\/)?$/))
const dnsSuffix = z.string().check(z.regex(dnsSuffixPattern))
const tenant = z.string().check(z.regex(tenantPattern))

/** DNS suffixes, each starting with `.`, so that a service name followed by one is a host name. */
export const ServiceDnsSuffixes = z.object({
  storage: dnsSuffix,
  keyVault: dnsSuffix,
  sqlServer: dnsSuffix,
  containerRegistry: dnsSuffix,
})

/** Token audiences: absolute URLs ending with `/`. They are identifiers and need not resolve. */
export const ServiceAudiences = z.object({ arm: audience, storage: audience, keyVault: audience })

/**
 * Every environment-specific value of one cloud: the source of the type, of `cloud-profiles/schema.json` and of the
 * code that validates (`npm run generate`). Not used at run time.
 */
export const CloudProfile = z.object({
  name: label,
  displayName: label,
  environment: z.enum(cloudEnvironments),
  authorityHost: httpsBaseUrl,
  resourceManagerEndpoint: httpBaseUrl,
  resourceManagerAudience: audience,
  tenantId: z.optional(tenant),
  portalUrl: z.optional(httpUrl),
  metadataEndpoint: z.optional(httpUrl),
  serviceDnsSuffixes: ServiceDnsSuffixes,
  serviceAudiences: ServiceAudiences,
  notes: z.optional(z.string()),
})

export interface CloudProfile extends Readonly<
  Omit<z.infer<typeof CloudProfile>, 'tenantId' | 'portalUrl' | 'metadataEndpoint' | 'notes'>
> {
  readonly tenantId?: string
  readonly portalUrl?: string
  readonly metadataEndpoint?: string
  readonly notes?: string
}

/** A service whose host names a profile can build. */
export type DnsService = keyof CloudProfile['serviceDnsSuffixes']
