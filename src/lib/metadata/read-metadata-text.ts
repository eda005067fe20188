import { NetworkError } from '../transport/network-error.ts'

/**
 * Parses the body of a metadata response. Pure. Distinguishes what responds in place of a resource manager: a sign-in
 * page, another encoding, half a document. Nothing of the body is quoted.
 *
 * @param text The body, decoded as UTF-8, with replacement of invalid bytes.
 * @param host For the message.
 * @throws {NetworkError} `METADATA_RESPONSE_INVALID`
 */
export function readMetadataText(text: string, host: string): unknown {
  const invalid = (problem: string) =>
    new NetworkError('METADATA', 'RESPONSE_INVALID', `${host} responded to the metadata query with ${problem}`, {
      evidence: { host },
    })

  if (text.includes('\0')) throw invalid('text that is not UTF-8 (it looks like UTF-16)')
  if (text.includes('\u{fffd}')) throw invalid('text that is not UTF-8')
  const body = text.replace(/^\u{feff}/u, '').trim()
  if (body === '') throw invalid('an empty body')
  if (body.startsWith('<')) {
    throw invalid('a page of HTML or XML instead of JSON: a proxy, a portal or a sign-in page responded in its place')
  }
  try {
    return JSON.parse(body)
  } catch (error) {
    throw invalid(isCutOff(body, error) ? 'a document that breaks off before its end' : 'something that is not JSON')
  }
}

/** V8 words the end of the text in three ways; the last names a position at the end. */
function isCutOff(body: string, error: unknown): boolean {
  const message = String(error)
  const position = /at position (\d+)/.exec(message)?.[1]
  return /Unexpected end|Unterminated/.test(message) || Number(position) >= body.length
}
