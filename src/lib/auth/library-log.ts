import { AzureLogger, setLogLevel } from '@azure/logger'

/**
 * Surfaces what the credential library logs, URLs included (PLATFORM_LOG_LEVEL=verbose). Must be called before a
 * credential is built, for the library reads the level then. Known secrets are cut out of each line; the library logs
 * none today, and this keeps it so.
 *
 * @param secrets Texts that must not appear in any line.
 */
export function surfaceLibraryLog(write: (line: string) => void, secrets: readonly string[]): void {
  AzureLogger.log = (...parts: unknown[]) => {
    let line = parts.map(String).join(' ')
    for (const secret of secrets) if (secret.length >= 4) line = line.replaceAll(secret, '[redacted]')
    write(line.replace(/\b[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}\b/g, '[redacted]'))
  }
  setLogLevel('verbose')
}
