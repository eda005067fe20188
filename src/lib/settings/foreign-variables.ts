import { ownCopy } from '../base/json.ts'
import { longestAuthorities } from '../base/certificates.ts'
import { statSync } from 'node:fs'
import { withoutAlias } from '../clouds/equal-values.ts'
import { InvalidSettingsError, type Warning } from '../errors.ts'
import { readVariable, type Env } from '../base/env.ts'

interface Refusal {
  /** Default is any value. */
  readonly when?: (value: string) => boolean
  /** Default is `must not be set`. */
  readonly rule?: string
  readonly why: string
}

const regional = { why: 'the credential library would use a regional host in place of authorityHost' }

/** Variables of other tools that would break a guarantee, and that no option overrides. The service refuses to start with them. */
const refused: Readonly<Record<string, Refusal>> = {
  NODE_TLS_REJECT_UNAUTHORIZED: {
    when: (value) => value.trim() === '0',
    why: 'it switches off the check of every certificate; unset it and trust the private authority with NODE_EXTRA_CA_CERTS',
  },
  AZURE_REGIONAL_AUTHORITY_NAME: regional,
  MSAL_FORCE_REGION: regional,
  NODE_DEBUG: { why: 'Node would write requests to stderr, including tokens and proxy passwords' },
  NODE_OPTIONS: {
    when: (value) => /--tls[-_]keylog/.test(value),
    rule: 'must not contain --tls-keylog',
    why: 'Node would write the keys of each TLS connection to a file, and with them every token',
  },
  NODE_EXTRA_CA_CERTS: {
    when: (path) => !mayBeRead(path),
    rule: 'must name a PEM file of at most 16 MiB',
    why: 'Node would wait for anything else without end',
  },
}

/** Whether Node can read the file without waiting. Node itself warns of a missing file. */
function mayBeRead(path: string): boolean {
  try {
    const found = statSync(path)
    return found.isFile() && found.size > 0 && found.size <= longestAuthorities
  } catch {
    return true
  }
}

/** Variables that other tools obey and this service ignores, unless `PLATFORM_…` has the same value. Each with what decides instead. */
const ignored: Readonly<Record<string, string>> = {
  AZURE_AUTHORITY_HOST: 'authorityHost of the profile (PLATFORM_AUTHORITY_HOST) decides',
  AZURE_TOKEN_CREDENTIALS: 'AUTH_MODE decides',
  AZURE_KUBERNETES_TOKEN_PROXY: 'tokens come from authorityHost of the profile, never from a proxy of the cluster',
  AZURE_CLIENT_SECRET: 'set PLATFORM_CLIENT_SECRET',
  AZURE_CLIENT_CERTIFICATE_PATH: 'set PLATFORM_CLIENT_CERTIFICATE_PATH',
  AZURE_USERNAME: 'set PLATFORM_USERNAME',
  AZURE_PASSWORD: 'set PLATFORM_PASSWORD',
}

/** @throws {ServiceError} `SETTING_INVALID` that names each refused variable. */
export function refuseForeignVariables(env: Env): void {
  const problems = Object.entries(refused).flatMap(([name, row]) => {
    const { when = () => true, rule = 'must not be set', why } = ownCopy(row)
    const value = readVariable(env, name)
    return value === undefined || !when(value) ? [] : { name, message: `${name} ${rule}: ${why}` }
  })
  if (problems.length > 0) throw new InvalidSettingsError('SETTING_INVALID', problems)
}

/** Warns of variables for other tools that have no effect here, or an effect that is easy to overlook. @param authorityHost The profile's. */
export function findForeignVariables(env: Env, authMode: string | undefined, authorityHost: string): Warning[] {
  const isIgnored = (name: string) => {
    const value = readVariable(env, name)
    if (value === undefined) return false
    // Our exports and a cluster's webhook set it to the host of the profile.
    if (name === 'AZURE_AUTHORITY_HOST') return !onSameHost(value, authorityHost)
    return value !== readVariable(env, name.replace('AZURE', 'PLATFORM'))
  }
  const names = Object.keys(ignored).filter(isIgnored)
  const warnings = names.map((name): Warning => {
    return { code: 'LIBRARY_VARIABLE_IGNORED', message: `${name} is ignored here: ${ignored[name]}` }
  })
  const identityHost = 'AZURE_POD_IDENTITY_AUTHORITY_HOST'
  if (readVariable(env, identityHost) === undefined || ![undefined, 'managedIdentity', 'default'].includes(authMode))
    return warnings
  const message = `${identityHost} is set, so managed identity requests go to its address`
  return [...warnings, { code: 'LIBRARY_VARIABLE_IN_EFFECT', message }]
}

/** Tools take the authority with or without its scheme, a path and a tenant. */
function onSameHost(variable: string, authorityHost: string): boolean {
  const url = URL.parse(variable.includes('://') ? variable.trim() : `https://${variable.trim()}`)
  return url !== null && new URL(withoutAlias(url.href)).host === new URL(withoutAlias(authorityHost)).host
}
