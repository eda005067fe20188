import { quoteShell } from '../base/printable.ts'
import { quoteJava, quoteRust, quoteTypeScript, quoteWide } from './quote.ts'

/** What a template may name: texts, flags, and lists of further values. */
export type TemplateValues = Readonly<Record<string, string | boolean | readonly TemplateValues[]>>

/** How each language writes a text and a flag. */
export const languages = {
  typescript: { quote: quoteTypeScript, flags: ['false', 'true'] },
  python: { quote: quoteWide, flags: ['False', 'True'] },
  csharp: { quote: quoteWide, flags: ['false', 'true'] },
  java: { quote: quoteJava, flags: ['false', 'true'] },
  go: { quote: quoteWide, flags: ['false', 'true'] },
  rust: { quote: quoteRust, flags: ['false', 'true'] },
  yaml: { quote: quoteWide, flags: ['false', 'true'] },
  json: { quote: (text: string) => quoteJson(text), flags: ['false', 'true'] },
  shell: { quote: quoteShell, flags: ['false', 'true'] },
} as const satisfies Readonly<
  Record<string, { readonly quote: (text: string) => string; readonly flags: readonly [string, string] }>
>

export type Language = keyof typeof languages

/** JSON knows no escape beyond the units of UTF-16. */
function quoteJson(text: string): string {
  const units = JSON.stringify(text.replace(/\p{Cs}/gu, '\u{fffd}')).split('')
  return units
    .map((unit) => (/[\x20-\x7e]/.test(unit) ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))
    .join('')
}

/** A hole is a literal of the language, so that the template is a program too. */
const hole = /(["'])\{\{(\w+)\}\}\1/g
/** A line that begins or ends a part: of a list, or under a condition. */
const mark = /^\s*(?:\/\/|#) \{\{(?:#(each|if|unless) (\w+)|\/(?:each|if|unless))\}\}$/

/**
 * Fills a template. `"{{name}}"` becomes the literal of a value. The lines between `// {{#each list}}` and `// {{/each}}` repeat, those
 * between `{{#if flag}}` or `{{#unless flag}}` and their end are kept or left out. Parts do not nest.
 *
 * @throws {Error} for a name without a value.
 */
export function renderTemplate(template: string, language: Language, values: TemplateValues): string {
  const lines: string[] = []
  let part: string[] | undefined
  let repeat: readonly TemplateValues[] = []
  for (const line of template.split('\n')) {
    const [found, kind, name = ''] = mark.exec(line) ?? []
    if (found === undefined) (part ?? lines).push(part === undefined ? fill(line, language, values) : line)
    else if (kind !== undefined) {
      part = []
      repeat = kind === 'each' ? listOf(values[name]) : (values[name] === true) === (kind === 'if') ? [{}] : []
    } else {
      for (const each of repeat) lines.push(...(part ?? []).map((text) => fill(text, language, { ...values, ...each })))
      part = undefined
    }
  }
  return lines.join('\n')
}

const listOf = (value: TemplateValues[string] | undefined) => (typeof value === 'object' ? value : [])

function fill(line: string, language: Language, values: TemplateValues): string {
  const { quote, flags } = languages[language]
  return line.replaceAll(hole, (_, _quote, name: string) => {
    const value = values[name]
    if (typeof value === 'boolean') return flags[value ? 1 : 0]
    if (typeof value === 'string') return quote(value)
    throw new Error(`The template names ${name}, which is no text`)
  })
}
