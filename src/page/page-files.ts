import { fileURLToPath } from 'node:url'
import { readRegularFile } from '../lib/base/files.ts'

/** A file in this folder, without its indentation. The build puts the minified texts in place of this module (bundle-plugins.ts). */
const textOf = (name: string) =>
  String(readRegularFile(fileURLToPath(new URL(name, import.meta.url)), 1024 * 1024)).replace(/\n\s*/g, '\n')

export const pageStyle = textOf('page.css')
export const pageScript = textOf('page.js')
