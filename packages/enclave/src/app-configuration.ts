import { createHash } from 'node:crypto'
import type { Context } from './context.ts'
import { type EnclaveResponse, decodeSegment, json, type Handler } from './http/exchange.ts'

/** The read operations of App Configuration: list and get the setting `example` and the seeded settings. Refuses any other operation by name. */
export function createAppConfiguration({ content, now }: Context): Handler {
  const settings = Object.entries({ example: 'a setting of the enclave', ...content.settings })
  const last_modified = new Date(now()).toISOString()
  const describe = ([key, value]: readonly [string, string]) => {
    const etag = createHash('sha256').update(`${key}\0${value}`).digest('base64url')
    return { etag, key, label: null, content_type: '', value, tags: {}, locked: false, last_modified }
  }
  return (request) => {
    const [kind = '', given, ...rest] = request.path.split('/').slice(1)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || rest.length > 0 || !['kv', 'keys', 'labels'].includes(kind)) {
      const operation = `${request.method} ${request.path}`
      const only = 'The App Configuration of the enclave only reads and lists'
      return problem(501, `${only}, and does not support ${operation}.`)
    }
    if (kind === 'labels') return list('labelset', [{ name: null }])
    // No setting has a label, and `\0` selects settings without one.
    const label = request.query.get('label') ?? ''
    const labeled = ['', '*', '\0'].includes(label) ? settings : []
    if (given === undefined) {
      const isWanted = matcher(request.query.get('key') ?? request.query.get('name') ?? '*')
      const found = labeled.filter(([key]) => isWanted(key))
      const names = found.map(([name]) => ({ name }))
      return kind === 'kv' ? list('kvset', found.map(describe)) : list('keyset', names)
    }
    const setting = labeled.find(([key]) => key === decodeSegment(given))
    if (kind !== 'kv' || setting === undefined) return problem(404, 'The setting does not exist.')
    const one = describe(setting)
    return json(200, one, { ...typeOf('kv'), etag: `"${one.etag}"` })
  }
}

const typeOf = (kind: string) => ({ 'content-type': `application/vnd.microsoft.appconfig.${kind}+json; charset=utf-8` })
const list = (kind: string, items: readonly object[]): EnclaveResponse => json(200, { items }, typeOf(kind))

function problem(status: number, detail: string): EnclaveResponse {
  return json(status, { title: detail, status, detail }, { 'content-type': 'application/problem+json; charset=utf-8' })
}

/** A filter is a list of names, separated by commas. A name with a final asterisk is a prefix. */
function matcher(filter: string): (key: string) => boolean {
  const names = filter.split(',')
  return (key) => names.some((name) => (name.endsWith('*') ? key.startsWith(name.slice(0, -1)) : key === name))
}
