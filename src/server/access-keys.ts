import type { AppRequest } from '../lib/base/app.ts'
import { builtinModule } from '../lib/base/certificates.ts'
import type { WriteLog } from './log.ts'
import { StartError } from './start-error.ts'
import { identify, watchFiles } from './watch-files.ts'

/** A key in a file, which is read again when the file changes. */
export interface KeyFile {
  readonly path: string
  /** @throws if the file contains no key. */
  readonly read: () => string
}

/**
 * Whether a request has the server's key: in the header `x-functions-key`, in the query's `code`, or as a bearer token. The Functions host
 * accepts no bearer token, but a monitor of the Prometheus operator can't send its secret in another way.
 */
export type KeyCheck = (headers: AppRequest['headers'], search: string) => boolean

export interface AccessKey {
  readonly hasKey: KeyCheck
  readonly stopWatching: () => void
}

/** Characters. A shorter key could be guessed. */
const minLength = 16

/**
 * @param key If `undefined`, every request is accepted, as under `func start`.
 * @param isLocal Whether only this machine can reach the server. The key may be short then.
 * @throws {StartError} `KEY_TOO_SHORT`
 */
export async function openAccessKey(
  key: string | KeyFile | undefined,
  isLocal: boolean,
  log: WriteLog,
): Promise<AccessKey> {
  if (key === undefined) return { hasKey: () => true, stopWatching: () => undefined }
  const { timingSafeEqual } = builtinModule('node:crypto')
  const digestOf = (text: string) => {
    if (isLocal || text.length >= minLength) return digest(text)
    const message = `The key has fewer than ${minLength} characters, and others can reach this address. Make a key with: openssl rand -hex 32.`
    throw new StartError('KEY_TOO_SHORT', message)
  }
  const file = typeof key === 'string' ? undefined : key
  const read = typeof key === 'string' ? () => key : key.read
  const paths = file === undefined ? [] : [file.path]
  const identity = await identify(paths)
  let expected = digestOf(read())
  const hasKey: KeyCheck = (headers, search) => {
    // The name `code` may have any letter case.
    const code = [...new URLSearchParams(search)].find(([name]) => name.toLowerCase() === 'code')?.[1]
    const bearer = /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1]
    const given = headers['x-functions-key'] ?? code ?? bearer
    if (given === undefined) return false
    // Repeated headers were joined by a comma, and the first counts. The query parser turns an unescaped `+` into a space, which no key has.
    const [first = ''] = given.split(',', 1)
    return [given, first, given.replaceAll(' ', '+')].some((each) => timingSafeEqual(digest(each), expected))
  }
  if (file === undefined) return { hasKey, stopWatching: () => undefined }
  const stopWatching = watchFiles(paths, identity, {
    what: 'key',
    log,
    onChange() {
      const renewed = digestOf(read())
      if (renewed.equals(expected)) return
      expected = renewed
      const message = `The key in ${file.path} has changed. The old key is no longer accepted.`
      log({ level: 'info', category: 'server', message })
    },
  })
  return { hasKey, stopWatching }
}

/** Digests have equal lengths, so the time of a comparison reveals neither the key's length nor its content. */
export function digest(text: string): Buffer {
  return builtinModule('node:crypto').createHash('sha256').update(text).digest()
}
