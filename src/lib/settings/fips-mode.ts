import type { getFips } from 'node:crypto'
import { ServiceError } from '../errors.ts'

/** Whether OpenSSL runs in FIPS mode. A cold start does not load `node:crypto` for it unless it is called. */
export function isFipsMode(): boolean {
  const crypto = process.getBuiltinModule?.('node:crypto') as { readonly getFips: typeof getFips } | undefined
  return crypto?.getFips() === 1
}

/**
 * Node runs without FIPS, silently, if OPENSSL_CONF names no file, or a file whose only section is `openssl_conf`.
 *
 * @throws {ServiceError} `FIPS_MODE_OFF`
 */
export function requireFipsMode(): void {
  if (isFipsMode()) return
  throw new ServiceError(
    'FIPS_MODE_OFF',
    'PLATFORM_REQUIRE_FIPS is true, but OpenSSL does not run in FIPS mode. Node ignores an OPENSSL_CONF that names no file, and a file without a nodejs_conf section',
  )
}
