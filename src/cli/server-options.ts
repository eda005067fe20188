import { isWideText, readRegularFile, wideTextProblem } from '../lib/base/files.ts'
import type { ServerOptions } from '../server/server.ts'
import { publicDiscoveryHosts } from '../lib/clouds/known-clouds.ts'
import { refuseReferences } from '../lib/errors.ts'
import type { Settings } from '../lib/settings/settings.ts'
import { UsageError } from './exit.ts'

/** A key of some hundred bytes, and what a tool appends to it. */
const maxKeyBytes = 4096

/**
 * The options of the listener: port, address, key, certificate and names.
 *
 * @throws {UsageError} that names the variable: a file that holds no key, or half a pair of TLS files.
 */
export function readServerOptions(
  settings: Settings,
): Pick<ServerOptions, 'port' | 'hostname' | 'key' | 'tls' | 'otherNames'> {
  return {
    port: settings.port,
    hostname: settings.listenAddress,
    key: readKey(settings),
    tls: readTls(settings),
    // Clients ask for instance discovery under these names.
    otherNames: settings.serveMetadata ? publicDiscoveryHosts : [],
  }
}

function readKey({ hostKey, hostKeyPath: path }: Settings): ServerOptions['key'] {
  return path === undefined ? hostKey?.reveal() : { path, read: () => readKeyFile(path) }
}

function readKeyFile(path: string): string {
  const key = readSmallFile(path, 'PLATFORM_HOST_KEY_PATH', maxKeyBytes).trim()
  refuseReferences({ 'The value in the file of PLATFORM_HOST_KEY_PATH': key }, { areSecrets: true })
  // A decoder writes U+FFFD for bytes that are no UTF-8, and no client can send it or a control character.
  if (/^[^\s\p{C}\uFFFD]+$/u.test(key)) return key
  throw new UsageError(
    `PLATFORM_HOST_KEY_PATH names ${path}, which must hold one key as text and nothing else. Write it with: openssl rand -hex 32 > ${path}`,
  )
}

/** @throws {UsageError} that names the variable, for anything but a regular file of at most so many bytes. */
function readSmallFile(path: string, variable: string, mostBytes: number): string {
  let bytes: Buffer
  try {
    bytes = readRegularFile(path, mostBytes)
  } catch (error) {
    throw new UsageError(`${variable} names ${path}, which cannot be read: ${(error as Error).message}`)
  }
  if (isWideText(bytes)) throw new UsageError(`${variable} names ${path}, which ${wideTextProblem}`)
  return bytes.toString('utf8')
}

function readTls({ tlsCertificatePath: certificatePath, tlsKeyPath: keyPath }: Settings): ServerOptions['tls'] {
  if (certificatePath === undefined && keyPath === undefined) return undefined
  if (certificatePath !== undefined && keyPath !== undefined) return { certificatePath, keyPath }
  const [set, unset] =
    keyPath === undefined
      ? ['PLATFORM_TLS_CERTIFICATE_PATH', 'PLATFORM_TLS_KEY_PATH']
      : ['PLATFORM_TLS_KEY_PATH', 'PLATFORM_TLS_CERTIFICATE_PATH']
  throw new UsageError(`${set} is set without ${unset}: https needs both`)
}
