/** A text in another language, made by a tag of {@link templateOf}. Templates of this language insert it unchanged. */
export class Source {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template. A text or flag becomes a literal of the language, and `undefined` removes the whole line. */
type Hole = string | boolean | Source | readonly Source[] | undefined

type Template = (parts: TemplateStringsArray, ...holes: readonly Hole[]) => Source

/**
 * Makes the template tag of a language.
 *
 * @param quote Writes a text as a literal.
 * @param flag Writes true and false.
 */
export function templateOf(quote: (text: string) => string, flag: (value: boolean) => string = String): Template {
  return (parts, ...holes) => {
    const lines: string[] = []
    let line = ''
    let isComplete = true
    const write = (text: string): void => {
      const [first = '', ...others] = text.split('\n')
      line += first
      for (const other of others) {
        if (isComplete) lines.push(line)
        line = other
        isComplete = true
      }
    }
    for (const [index, part] of parts.entries()) {
      write(part)
      if (index === holes.length) break
      const hole = holes[index]
      const written = typeof hole === 'object' ? textOf(hole) : undefined
      if (hole === undefined || written === '') isComplete = false
      else if (written !== undefined) line += written.replaceAll('\n', `\n${/^ */.exec(line)?.[0] ?? ''}`)
      else line += typeof hole === 'boolean' ? flag(hole) : quote(hole as string)
    }
    if (isComplete) lines.push(line)
    return new Source(lines.join('\n'))
  }
}

const textOf = (hole: Source | readonly Source[]): string =>
  hole instanceof Source ? hole.text : hole.map(({ text }) => text).join('\n')
