import { basename, join, relative } from 'node:path'
import * as esbuild from 'esbuild'
import type { BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild'

/** The options of a build for {@link toCommonJs}. */
export const splitOptions = {
  format: 'esm',
  splitting: true,
  minify: false,
  minifySyntax: true,
  chunkNames: '[name]-[hash]',
  write: false,
} satisfies BuildOptions

/**
 * Makes each lazy part import the entry point, and the modules that most parts need: esbuild then makes one part of what a start runs, and one
 * of those modules. Each file of a part takes half a millisecond to load.
 */
export const sharedParts = (entry: string, common: readonly string[] = []): Plugin => ({
  name: 'shared-parts',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd()
    // The path is relative, because it affects the hash in the name of the part.
    build.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) =>
      kind === 'dynamic-import' ? { path: relative(root, join(resolveDir, path)), namespace: 'lazy' } : undefined,
    )
    build.onResolve({ filter: /(?:)/, namespace: 'lazy' }, ({ path }) => ({ path, sideEffects: shared.includes(path) }))
    build.onResolve({ filter: /(?:)/ }, ({ kind }) =>
      kind === 'entry-point' ? { path: entry, sideEffects: true } : undefined,
    )
    const shared = [entry, ...common]
    const imports = shared.map((path) => `import ${JSON.stringify(path)};`).join('')
    build.onLoad({ filter: /(?:)/, namespace: 'lazy' }, ({ path }) => ({
      contents: `${imports}export * from ${JSON.stringify(join(root, path))}`,
    }))
  },
})

/** Runs each part once for each instance of the main file, which a host may load again. A part that fails is loaded again at the next call. */
const loader = (main: string) => `const __done={},__load=name=>{
if(__done[name])return __done[name].exports;
const file=__filename.replace(/[^/\\\\]+$/,name+'.cjs'),part=__done[name]={exports:{}};
try{(__parts[name]||require(file))(part,part.exports,id=>id.startsWith('./')?__load(id.slice(2,-3)):require(id))}
catch(error){delete __done[name];delete require.cache[file];throw error}
return part.exports};__load("${main}")`

/**
 * Makes CommonJS of a bundle, because esbuild splits ES modules only: a main file with the parts that a start runs, and a file for each
 * other part. A part is a function, and no source is in two parts, so that no class exists twice in a process.
 *
 * @returns The files, with the main file last, because the files that it names must exist first; and the sources in the main file.
 */
export async function toCommonJs(
  { outputFiles, metafile }: { readonly outputFiles: readonly OutputFile[]; readonly metafile: Metafile },
  main: string,
  outdir: string,
  top: string,
) {
  const nameOf = (path: string) => basename(path, '.js')
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [nameOf(path), output]))
  const start = new Set([main])
  for (const name of start) {
    const imports = outputs.get(name)?.imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
    for (const { path } of imports ?? []) start.add(nameOf(path))
  }
  const toFunction = async ({ path, text }: OutputFile) => {
    // Node loads a second module loader for `import()`.
    const supported = { 'dynamic-import': false }
    const { code } = await esbuild.transform(withGetters(text), { ...options, supported })
    // V8 compiles a function in parentheses at once, and any other twice.
    return [nameOf(path), `((module,exports,require)=>{${code}})`] as const
  }
  const parts = await Promise.all(outputFiles.map(toFunction))
  const isAtStart = ([name]: readonly [string, string]) => start.has(name)
  const table = parts.filter(isAtStart).map(([name, run]) => `"${name}":${run}`)
  const lazy = parts.filter((part) => !isAtStart(part)).map(([name, run]) => [name, `${top}module.exports=${run}`])
  const files = [...lazy, [main, `${top}const __parts={${table.join()}};${loader(main)}`]]
  return {
    files: files.map(([name, text]) => ({
      path: join(outdir, `${name}.cjs`),
      contents: new TextEncoder().encode(text),
    })),
    startSources: [...start]
      .flatMap((name) => Object.entries(outputs.get(name)?.inputs ?? {}))
      // A source without bytes in the output costs nothing.
      .flatMap(([source, { bytesInOutput }]) => (bytesInOutput > 0 ? [source] : [])),
  }
}

/** Writes the exports of a part as one object with getters. esbuild's own conversion defines each name twice: a twentieth of a cold start. */
function withGetters(text: string): string {
  const [list = '', names = ''] = /\nexport \{([^}]{1,100000})\};\n$/.exec(text) ?? []
  const getters = names.split(',').map((name) => {
    const [own = '', exported = own] = name.trim().split(' as ')
    return `get ${exported}(){return ${own}}`
  })
  return list === '' ? text : `module.exports={__esModule:true,${getters.join()}};${text.slice(0, -list.length)}`
}

const options = { format: 'cjs', target: 'node22', minify: true, legalComments: 'none' } as const
