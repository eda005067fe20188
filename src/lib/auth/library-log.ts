import { AzureLogger, setLogLevel } from '@azure/logger'

/** Where the library logs all headers of an answer as they are: cookies, and whatever else the other side put there. */
const answerHeaders = /^azure:core-rest-pipeline:\w+ Headers: /

/**
 * Surfaces what the credential library logs, URLs included (PLATFORM_LOG_LEVEL=verbose). Must be called before a
 * credential is built, for the library reads the level then. Headers of answers are left out; known secrets are cut out
 * of each line, of which the library logs none today.
 *
 * @param secrets Texts that must not appear in any line.
 */
export function surfaceLibraryLog(write: (line: string) => void, secrets: readonly string[]): void {
  AzureLogger.log = (...parts: unknown[]) => {
    let line = parts.map(String).join(' ')
    if (answerHeaders.test(line)) return
    for (const secret of secrets) if (secret.length >= 4) line = line.replaceAll(secret, '[redacted]')
    write(line.replace(/\b[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}\b/g, '[redacted]'))
  }
  setLogLevel('verbose')
}
