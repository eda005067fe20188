import { AzureLogger, setLogLevel } from '@azure/logger'
import { quote } from '../base/printable.ts'

const longestLine = 4096

/**
 * The dumps of the library's HTTP pipeline. It cuts what it knows out of them, but not the password of a proxy, which a
 * request carries along, and none of the headers of an answer: cookies, and whatever else the other side put there.
 */
const dump = /^(azure:core-rest-pipeline:\w+ )(Request|Headers): (\{.*)$/s

/**
 * Surfaces what the credential library logs, URLs included (PLATFORM_LOG_LEVEL=verbose). Must be called before a
 * credential is built, for the library reads the level then. Each call is one line, of bounded length. Of a request only method, URL and id are shown, of an
 * answer the status. Known secrets are cut out of each line, of which the library logs none today.
 *
 * @param secrets Texts that must not appear in any line.
 */
export function surfaceLibraryLog(write: (line: string) => void, secrets: readonly string[]): void {
  AzureLogger.log = (...parts: unknown[]) => {
    const logged = parts.map(String).join(' ')
    const [, origin = '', kind, content = ''] = dump.exec(logged) ?? []
    if (kind === 'Headers') return
    let line = kind === 'Request' ? `${origin}Request: ${describeRequest(content)}` : logged
    for (const secret of secrets) if (secret.length >= 4) line = line.replaceAll(secret, '[redacted]')
    const shown = line.slice(0, longestLine)
    write(onOneLine(shown.replace(/[\w.-]+/g, (word) => (looksLikeToken(word) ? '[redacted]' : word))))
  }
  setLogLevel('verbose')
}

/** Whoever made it: three long parts between dots stand somewhere in it. */
function looksLikeToken(word: string): boolean {
  const parts = word.split('.')
  return parts.some((_, at) => at + 2 < parts.length && parts.slice(at, at + 3).every(({ length }) => length >= 10))
}

/** What the other side sent may be in a line; a newline in it would make a line of its own. */
function onOneLine(line: string): string {
  return quote(line).slice(1, -1).replaceAll('\\"', '"')
}

/** The library cuts the values of a query out of the URL; the id is the one that the other side logs too. */
function describeRequest(content: string): string {
  try {
    const { method, url, requestId } = JSON.parse(content) as Record<string, unknown>
    return `${String(method)} ${String(url)} (${String(requestId)})`
  } catch {
    return '[not shown]'
  }
}
