import { endOfText } from '../../../src/lib/base/printable.ts'

/** What a file takes from a library. */
export interface Imports {
  /** The names in the library, by the names in the file. */
  readonly names: ReadonlyMap<string, string>
  /** The names of the file for a whole package. */
  readonly modules: ReadonlySet<string>
}

/** Reads imports of scripts in all forms: `import { A as B }`, `import * as x`, `import x = require()`, `const { A: B } = await import()`. */
export function scriptImports(text: string, packages: RegExp): Imports {
  const names = new Map<string, string>()
  const modules = new Set<string>()
  for (const { index } of text.matchAll(packages)) {
    const before = text.slice(Math.max(0, index - 2100), index).trimEnd()
    const found = /\bfrom$|\brequire\($|\bimport\($/.exec(before)
    if (found === null) continue
    const bound = withoutEnd(withoutEnd(before.slice(0, found.index).trimEnd(), 'await'), '=')
    if (bound.endsWith('}')) {
      for (const item of bound.slice(bound.lastIndexOf('{') + 1, -1).split(',')) {
        const [name = '', own = name] = item
          .replace(/^\s*type\s/, '')
          .split(/\sas\s|:/)
          .map((each) => each.trim())
        if (name !== '') names.set(own, name)
      }
    } else modules.add(endOfText(bound, /[\w$]/))
  }
  return { names, modules }
}

const withoutEnd = (text: string, end: string) => (text.endsWith(end) ? text.slice(0, -end.length).trimEnd() : text)

/** Reads `from LIBRARY.x import A as B` and `import LIBRARY.x as y` of Python. @param library An expression for the name of the package. */
export function pythonImports(text: string, library: string): Imports {
  const names = new Map<string, string>()
  const modules = new Set<string>()
  for (const { index, 0: begin } of text.matchAll(
    new RegExp(String.raw`\bfrom\s+(?:${library})(?:\.[\w.]{1,100})?\s+import\s+`, 'g'),
  )) {
    const at = index + begin.length
    const list =
      text[at] === '('
        ? (text.slice(at + 1, at + 2002).split(')', 1)[0] ?? '')
        : (text.slice(at, at + 500).split(/[\n#(]/, 1)[0] ?? '')
    for (const item of list.split(',')) {
      // NAME or NAME as OWN
      const [name = '', , own = name] = item.trim().split(/\s+/)
      if (name === '') continue
      names.set(own, name)
      modules.add(own)
    }
  }
  for (const { 1: path = '', 2: own = path } of text.matchAll(
    new RegExp(String.raw`^[ \t]*import[ \t]+((?:${library})[\w.]{0,100})(?:[ \t]+as[ \t]+(\w+))?`, 'gm'),
  ))
    modules.add(own)
  for (const { 1: own = '' } of text.matchAll(new RegExp(String.raw`\bfrom[ \t]+azure[ \t]+import[ \t]+(\w+)`, 'g')))
    modules.add(own)
  return { names, modules }
}

/** The names by which a Go file calls packages. @param imports Captures the path, of which the last part is the usual name. */
export function goPackages(text: string, imports: RegExp): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(imports)].map(({ index, 1: path = '' }) => {
      const line = text.slice(Math.max(text.lastIndexOf('\n', index) + 1, index - 200), index).trim()
      const last =
        path
          .replace(/\/v\d+$/, '')
          .split('/')
          .at(-1) ?? ''
      return /^\w+$/.test(line) && line !== 'import' ? line : (/^import\s+(\w+)$/.exec(line)?.[1] ?? last)
    }),
  )
}
