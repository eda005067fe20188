import { readFileSync } from 'node:fs'

/** The text of a file in `templates`. A build puts all of them in place of this module. */
export const readTemplate = (name: string): string =>
  readFileSync(new URL(`templates/${name}`, import.meta.url), 'utf8')
