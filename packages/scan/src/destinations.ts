import { escapeHidden, printable } from '../../../src/lib/base/printable.ts'

/** What pipelines read as a command: `##vso[` anywhere in a line, `::` at its begin. */
const withoutCommands = (text: string) => text.replaceAll(/##(?=\[|vso)/gi, '# #').replaceAll(/(^|\s)::/g, '$1: :')

/** Text of a foreign tree, one function for each destination. A terminal obeys control characters, and a pipeline commands in a log. */
export const forTerminal = (text: string): string => withoutCommands(printable(text))

/** The text after `::` of a workflow command of GitHub, as the runner unescapes it. */
export const forGithub = (text: string): string => withoutCommands(printable(text)).replaceAll('%', '%25')

/** A property of such a command. */
export const forGithubProperty = (text: string): string => forGithub(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** A JSON document with everything escaped that a reader would not see, or that a pipeline would read as a command. */
export const forJson = (document: unknown): string =>
  `${JSON.stringify(document, undefined, 2)
    .split('\n')
    .map((line) => escapeHidden(line).replaceAll('##', String.raw`#\u0023`))
    .join('\n')}\n`
