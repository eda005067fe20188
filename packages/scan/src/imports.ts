import { endOfText } from '../../../src/lib/base/printable.ts'

/**
 * Reads imports of scripts in all forms: `import { A as B }`, `import * as x`, `import x = require()`, `const { A: B } = await import()`.
 *
 * @returns The names in the library by the names in the file, and the names of the file for a whole package.
 */
export function scriptImports(text: string, packages: RegExp) {
  const names = new Map<string, string>()
  const modules = new Set<string>()
  for (const { index } of text.matchAll(packages)) {
    const before = text.slice(Math.max(0, index - 2100), index).trimEnd()
    const found = /\bfrom$|\brequire\($|\bimport\($/.exec(before)
    if (found === null) continue
    const bound = withoutEnd(withoutEnd(before.slice(0, found.index).trimEnd(), 'await'), '=')
    if (!bound.endsWith('}')) modules.add(endOfText(bound, /[\w$]/))
    else
      for (const item of bound.slice(bound.lastIndexOf('{') + 1, -1).split(',')) {
        const [name = '', own = name] = item.replace(/^\s*type\s/, '').split(/\sas\s|:/)
        names.set(own.trim(), name.trim())
      }
  }
  return { names, modules }
}

const withoutEnd = (text: string, end: string) => (text.endsWith(end) ? text.slice(0, -end.length).trimEnd() : text)

/** Reads `from LIBRARY.x import A as B` and `import LIBRARY.x as y` of Python. @param library An expression for the name of the package. */
export function pythonImports(text: string, library: string) {
  const names = new Map<string, string>()
  const modules = new Set<string>()
  const from = new RegExp(
    String.raw`\bfrom\s+(?:${library})(?:\.[\w.]{1,100})?\s+import\s+(?:\(([^)]{0,2000})|([^\n#(]{0,500}))`,
    'g',
  )
  for (const { 1: inBrackets, 2: inLine = '' } of text.matchAll(from))
    for (const item of (inBrackets ?? inLine).split(',')) {
      // NAME or NAME as OWN
      const [name = '', , own = name] = item.trim().split(/\s+/)
      names.set(own, name)
      modules.add(own)
    }
  const whole = new RegExp(
    String.raw`^[ \t]*import[ \t]+((?:${library})[\w.]{0,100})(?:[ \t]+as[ \t]+(\w+))?|\bfrom[ \t]+azure[ \t]+import[ \t]+(\w+)`,
    'gm',
  )
  for (const { 1: path = '', 2: own = path, 3: sub = own } of text.matchAll(whole)) modules.add(sub)
  return { names, modules }
}

/** The names by which a Go file calls packages. @param imports Captures the path, of which the last part is the usual name. */
export function goPackages(text: string, imports: RegExp): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(imports)].map(({ index, 1: path = '' }) => {
      const line = text.slice(Math.max(text.lastIndexOf('\n', index) + 1, index - 200), index)
      const own = /^\s*(?:import\s+)?(\w+)\s*$/.exec(line)?.[1]
      return own === undefined || own === 'import' ? (/([^/]+?)(?:\/v\d+)?$/.exec(path)?.[1] ?? '') : own
    }),
  )
}
