import type { CloudProfile } from './cloud-profile.ts'
import { textsOf } from '../base/json.ts'
import type { FieldPath } from './field-path.ts'

/**
 * Whether a URL or DNS suffix lies in the reserved `.invalid` domain (RFC 2606), where built-in profiles keep what
 * only an enclave's operator knows. Nothing there can ever resolve, so no secret can reach a real host.
 */
export function isPlaceholder(value: string): boolean {
  // Most values do not hold the word at all, and every cold start asks.
  if (!value.toLowerCase().includes('.invalid')) return false
  const host = value.startsWith('.') ? value : URL.canParse(value) ? new URL(value).hostname : ''
  return /\.invalid\.?$/i.test(host)
}

/** The fields of a profile that still hold a placeholder, in the profile's order. */
export function placeholderFields(profile: CloudProfile): FieldPath[] {
  return textsOf(profile).flatMap(([path, value]) => (isPlaceholder(value) ? [path as FieldPath] : []))
}
