import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './project-copy.ts'

/**
 * The rows of the tables in a Markdown file whose first column has this heading, as cells without their backticks.
 *
 * @throws {Error} if the file has no such table.
 */
export function tableRows(path: string, heading: string): string[][] {
  const lines = readFileSync(join(repository, path), 'utf8').split('\n')
  const rows: string[][] = []
  for (const [index, line] of lines.entries()) {
    if (cellsOf(line)?.[0] !== heading) continue
    for (const each of lines.slice(index + 2)) {
      const cells = cellsOf(each)
      if (cells === undefined) break
      rows.push(cells)
    }
  }
  if (rows.length === 0) throw new Error(`${path} has no table whose first column is ${heading}`)
  return rows
}

function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith('|')) return undefined
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.replaceAll('`', '').trim())
}
