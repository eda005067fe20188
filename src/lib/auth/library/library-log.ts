import { AzureLogger, setLogLevel } from '@azure/logger'
import { quote } from '../../base/printable.ts'

const longestLine = 4096

/**
 * Requests and response headers that the library's HTTP pipeline prints. It redacts some values, but not the password of a proxy, and not
 * the headers of a response, such as cookies.
 */
const dump = /^(azure:core-rest-pipeline:\w+ )(Request|Headers): (\{.*)$/s

/**
 * Discards the log of the credential library, unless it is surfaced: AZURE_LOG_LEVEL and DEBUG would make the library write its raw log to
 * stderr. Must be called before a credential is built.
 */
export function ownLibraryLog(): void {
  if (!surfaced) AzureLogger.log = () => undefined
}

let surfaced = false

/**
 * Writes the log of the credential library (PLATFORM_LOG_LEVEL=verbose), URLs included: one bounded line a call. A request is shown by
 * method, URL and id, a response by its status. Known secrets are redacted. Must be called before a credential is built, because the
 * library reads the level then.
 *
 * @param secrets The texts that must not appear in a line; a secret in a file can change.
 */
export function surfaceLibraryLog(write: (line: string) => void, secrets: () => readonly string[]): void {
  surfaced = true
  AzureLogger.log = (...parts: unknown[]) => {
    const logged = parts.map(String).join(' ')
    const [, origin = '', kind, content = ''] = dump.exec(logged) ?? []
    if (kind === 'Headers') return
    let line = kind === 'Request' ? `${origin}Request: ${describeRequest(content)}` : logged
    for (const secret of secrets()) if (secret.length >= 4) line = line.replaceAll(secret, '[redacted]')
    const shown = line.slice(0, longestLine)
    write(onOneLine(shown.replace(/[\w.-]+/g, (word) => (looksLikeToken(word) ? '[redacted]' : word))))
  }
  setLogLevel('verbose')
}

/** Whether a word holds three long parts between dots, as a JWT does. */
function looksLikeToken(word: string): boolean {
  const parts = word.split('.')
  return parts.some((_, at) => at + 2 < parts.length && parts.slice(at, at + 3).every(({ length }) => length >= 10))
}

/** A newline in a response would forge a line. */
function onOneLine(line: string): string {
  return quote(line).slice(1, -1).replaceAll('\\"', '"')
}

/** The library redacts the query of the URL. The id also stands in the log of the other side. */
function describeRequest(content: string): string {
  try {
    const { method, url, requestId } = JSON.parse(content) as Record<string, unknown>
    return `${String(method)} ${String(url)} (${String(requestId)})`
  } catch {
    return '[not shown]'
  }
}
