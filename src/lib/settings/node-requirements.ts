import { ServiceError } from '../errors.ts'

/** Refuses to start on a Node older than 22.1, the first release with `URL.parse`. @throws {ServiceError} `NODE_UNSUPPORTED`. */
export function refuseOldNode(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 1)) return
  throw new ServiceError('NODE_UNSUPPORTED', `Node ${version} is too old: Node 22.1 or later is needed`, {
    evidence: { version },
  })
}

/** Any public key: the generator of P-256. */
const anyKey =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q=='

/** Loads a module that most cold starts don't need. Absent before Node 22.3. */
const loadModule = (process as Partial<typeof process>).getBuiltinModule

/** Whether OpenSSL runs in FIPS mode. */
export function isFipsMode(): boolean {
  return loadModule?.('node:crypto').getFips() === 1
}

/** Requires FIPS mode, which Node drops silently, and the provider `base`, without which OpenSSL can read no certificate and no key. */
export function requireFipsMode(): void {
  const problem = !isFipsMode()
    ? 'but OpenSSL does not run in FIPS mode. Node ignores an OPENSSL_CONF that names no file, and a file without a nodejs_conf section. Without default_properties = fips=yes the provider is loaded, but not used'
    : !readsKeys() &&
      'and OpenSSL runs in FIPS mode without the provider base, so it can read no key and no certificate'
  if (problem !== false) throw new ServiceError('FIPS_MODE_OFF', `PLATFORM_REQUIRE_FIPS is true, ${problem}`)
}

function readsKeys(): boolean {
  try {
    loadModule?.('node:crypto').createPublicKey({ key: Buffer.from(anyKey, 'base64'), format: 'der', type: 'spki' })
    return true
  } catch {
    return false
  }
}
