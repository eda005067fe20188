import type { Glyph } from '../endpoints/endpoint.ts'
import type { NetworkRole } from '../errors.ts'
import type { SelectedBy } from '../profile/explained-profile.ts'
import type { TraceStepName } from '../transport/attempt.ts'
import type { AddedAuthorities as Added } from '../transport/certificate-authorities.ts'

// Lists of the words that a report uses and other files define as types. The compiler holds each list to its type.

export const roles = [
  'AUTHORITY',
  'RESOURCE_MANAGER',
  'METADATA',
  'IDENTITY_ENDPOINT',
  'SERVICE',
] as const satisfies readonly NetworkRole[]
export const glyphs = [
  'server',
  'arrows',
  'key',
  'layers',
  'document',
  'lock',
  'cylinder',
] as const satisfies readonly Glyph[]
export const steps = [
  'instance-discovery',
  'openid-configuration',
  'user-realm',
  'device-code',
  'token',
  'managed-identity',
  'resource-manager',
  'metadata',
  'challenge',
  'other',
] as const satisfies readonly TraceStepName[]
export const selectors = [
  'default',
  'PLATFORM_CLOUD',
  'CUSTOM_CLOUD_PROFILE_PATH',
  'option',
] as const satisfies readonly SelectedBy[]
export const trustVariables = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'NODE_OPTIONS=--use-system-ca',
] as const satisfies readonly Added['variable'][]
export const trustStatuses = [
  'read by Node',
  'loaded by the service',
  'file unreadable',
  'file without a certificate',
  'not loaded',
  'system store unreadable',
  'system store without a certificate',
] as const satisfies readonly Added['status'][]
