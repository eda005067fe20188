import { quoteShell } from '../../lib/base/printable.ts'
import { quoteHcl, quoteJava, quoteJson, quotePowerShell, quoteRust, quoteTypeScript, quoteWide } from './quote.ts'

/** What a template may name: texts, flags, lists of further values, and `undefined` for what a profile lacks. */
export type TemplateValues = Readonly<Record<string, string | boolean | readonly TemplateValues[] | undefined>>

/** How each language writes a text. */
const languages = {
  typescript: quoteTypeScript,
  python: quoteWide,
  csharp: quoteWide,
  java: quoteJava,
  go: quoteWide,
  rust: quoteRust,
  yaml: quoteWide,
  // A YAML text that Ansible does not evaluate.
  ansible: (text: string) => `${text.includes('{') ? '!unsafe ' : ''}${quoteWide(text)}`,
  hcl: quoteHcl,
  powershell: quotePowerShell,
  json: quoteJson,
  shell: quoteShell,
} as const satisfies Readonly<Record<string, (text: string) => string>>

export type Language = keyof typeof languages

function writeFlag(flag: boolean, language: Language): string {
  if (language === 'python') return flag ? 'True' : 'False'
  return `${language === 'powershell' ? '$' : ''}${flag}`
}

/** A hole is a literal of the language, so that the template is a program too. */
const hole = /(["'])\{\{(\w+)\}\}\1/g
/** A line that begins or ends a part: of a list, or under a condition. */
const mark = /^\s*(?:\/\/|#) \{\{(?:#(each|if|unless) (\w+)|\/(?:each|if|unless))\}\}$/

/**
 * Fills a template. `"{{name}}"` becomes the literal of a value; a line that names a value which the profile lacks is left out. The lines
 * between `// {{#each list}}` and `// {{/each}}` repeat, those between `{{#if name}}` or `{{#unless name}}` and their end are kept or left
 * out.
 *
 * @throws {Error} for a name that no value has.
 */
export function renderTemplate(template: string, language: Language, values: TemplateValues): string {
  return renderLines(template.split('\n'), language, values).join('\n')
}

function renderLines(lines: readonly string[], language: Language, values: TemplateValues): readonly string[] {
  const written: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const [found, kind = '', name = ''] = mark.exec(line) ?? []
    if (found === undefined) written.push(...fill(line, language, values))
    else {
      const end = endOf(lines, at)
      const part = lines.slice(at + 1, end)
      for (const each of partOf(kind, values[name], values)) written.push(...renderLines(part, language, each))
      at = end
    }
  }
  return written
}

/** The line that ends the part which begins at a line. */
function endOf(lines: readonly string[], begin: number): number {
  let depth = 0
  for (const [index, line] of lines.entries()) {
    if (index < begin) continue
    const [found, kind] = mark.exec(line) ?? []
    if (found !== undefined) depth += kind === undefined ? -1 : 1
    if (found !== undefined && depth === 0) return index
  }
  throw new Error(`A part of the template has no end: ${lines[begin]}`)
}

/** The values of each repetition of a part. */
function partOf(kind: string, value: TemplateValues[string], values: TemplateValues): readonly TemplateValues[] {
  if (kind === 'each') return typeof value === 'object' ? value.map((each) => ({ ...values, ...each })) : []
  const holds = value !== undefined && value !== false && value !== ''
  return holds === (kind === 'if') ? [values] : []
}

function fill(line: string, language: Language, values: TemplateValues): readonly string[] {
  let isComplete = true
  const filled = line.replaceAll(hole, (_, _quote, name: string) => {
    const value = values[name]
    if (!Object.hasOwn(values, name) || typeof value === 'object')
      throw new Error(`No value of a template is named ${name}`)
    if (value === undefined) isComplete = false
    return typeof value === 'boolean' ? writeFlag(value, language) : languages[language](value ?? '')
  })
  return isComplete ? [filled] : []
}
