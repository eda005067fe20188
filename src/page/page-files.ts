import { readFileSync } from 'node:fs'

/** A file beside this one, without its indentation. The build puts the minified texts in place of this module (bundle-plugins.ts). */
const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8').replace(/\n\s*/g, '\n')

export const pageStyle = textOf('page.css')
export const pageScript = textOf('page.js')
