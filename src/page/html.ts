import { parseHttpUrl } from '../lib/base/address.ts'

/** Text that is safe as markup. Only the functions of this file make it. */
export class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** A value in a template. Text is escaped, markup is not, lists are joined, and `undefined` and `false` render nothing. */
export type Content = string | number | undefined | false | Markup | readonly Content[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for element content and quoted attribute values. */
const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

const unquoted = /=\s*$/
const address = /\s(?:href|src|action|formaction|data|poster)\s*=\s*["']$/i
const rawText = /^<(?:script|style)\b[^>]*>$/i

/**
 * Builds markup from a template. Text may only become element content or a quoted attribute value. A template that puts text anywhere else
 * throws for every text, so that the first test run finds it.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  // Without the indentation of the sources, which is a fifth of the page.
  const parts = strings.map((part) => part.replace(/\n\s*/g, '\n'))
  let text = parts[0] ?? ''
  for (const [index, value] of values.entries()) {
    const before = strings[index] ?? ''
    if (unquoted.test(before)) throw new TypeError('An attribute value must stand in quotes')
    if (!(value instanceof Markup)) {
      if (address.test(before)) throw new TypeError('An address attribute takes a webAddress()')
      if (rawText.test(before.slice(before.lastIndexOf('<'))))
        throw new TypeError('A script or style element takes trusted() text')
    }
    text += contentText(value) + (parts[index + 1] ?? '')
  }
  return new Markup(text)
}

/** Marks a constant in our code as markup. Never use it for a value from outside. */
export const trusted = (constant: string): Markup => new Markup(constant)

/**
 * The value of an address attribute. `undefined` unless it is an http or https URL without a user name: `javascript:` and `data:` run code,
 * and `https://bank@host/` misleads.
 */
export function webAddress(value: string): Markup | undefined {
  const url = parseHttpUrl(value)
  return url?.username === '' && url.password === '' ? new Markup(escapeText(url.href)) : undefined
}

const rowId = /^[a-z][\w-]*(?:\.[\w-]+)+$/i

/** The `id` attribute of a check, so that `/#authority.tls` leads to it. `undefined` for an id of another form. */
export const rowAnchor = (checkId: string): Markup | undefined =>
  rowId.test(checkId) ? new Markup(` id="${checkId}"`) : undefined

/** The address of a check on this page. */
export const rowAddress = (checkId: string): Markup => new Markup(rowId.test(checkId) ? `#${checkId}` : '#checks')

function contentText(content: Content): string {
  if (content === undefined || content === false) return ''
  if (content instanceof Markup) return content.toString()
  if (typeof content === 'object') return content.map(contentText).join('')
  return escapeText(String(content))
}
