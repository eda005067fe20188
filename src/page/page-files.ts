import { readFileSync } from 'node:fs'

/** A file beside this one. The build puts the texts themselves in place of this module, minified (build.ts). */
const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

export const pageStyle = textOf('page.css')
export const pageScript = textOf('page.js')
