import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
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

/** A chunk that more than one in so many lazy parts needs is in the common file, because each file takes time to load. */
const commonShare = 5

/**
 * Evaluates a chunk once for each instance of the main file, which a host may load again in one process. Node keeps a failed `import()` for
 * the life of a process, but no failed `require`. A file that lost its end can still be good code.
 */
const loader = (files: object) => `const __chunks={},__files=${JSON.stringify(files)};function __load(name){
if(__chunks[name])return __chunks[name];
const file='./'+(__files[name]||name)+'.cjs',parts=require(file);
if(parts.whole!==true){delete require.cache[require.resolve(file)];throw new Error('A part of this build is incomplete')}
return __chunks[name]=parts[name](module.exports,__load)}`

export interface SplitBundle {
  /** The main file is the last: the files that it names exist before it. */
  readonly files: readonly Pick<OutputFile, 'path' | 'contents'>[]
  /** The sources that the main file contains. */
  readonly startSources: readonly string[]
}

/**
 * Makes CommonJS of a bundle, because esbuild splits ES modules only: a main file with all that a start needs, and chunks that take from
 * it what both need. So no class exists twice in a process.
 *
 * @param main The name of the entry point, without folder and extension.
 * @param top Code at the top of each file.
 */
export async function toCommonJs(
  { outputFiles, metafile }: { readonly outputFiles: readonly OutputFile[]; readonly metafile: Metafile },
  main: string,
  { outdir, ...options }: BuildOptions & { readonly outdir: string },
  top: string,
): Promise<SplitBundle> {
  const modules = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]))
  const importsOf = (name: string) => readImports(modules.get(name) ?? '')
  const needsOf = (entry: string) => {
    const needed = new Set([entry])
    for (const name of needed) for (const { from } of importsOf(name)) needed.add(from)
    return needed
  }
  const atStart = needsOf(main)
  const chunks = [...modules.keys()].filter((name) => !atStart.has(name))
  const used = Map.groupBy(chunks.flatMap(importsOf), ({ from }) => from)
  const namesOf = (from: string) => [...new Set(used.get(from)?.flatMap(({ names }) => names))]
  // With the hash of the module: a chunk of another build, which may be this very file, finds the same code by it.
  const inMain = (name: string, from: string) => `${name}_${from.replaceAll(/\W/g, '_')}`

  const entry = 'entry'
  const exported = [...atStart].map((from) => {
    const names = namesOf(from).map((name) => `${name} as ${inMain(name, from)}`)
    return `export { ${names.join()} } from './${from}.js'`
  })
  modules.set(entry, [`import './${main}.js'`, ...exported].join('\n'))
  const isInMain = (name: string) => atStart.has(name) || name === entry
  const outputs: Plugin = {
    name: 'outputs',
    setup(build) {
      build.onResolve({ filter: /(?:)/ }, ({ path, kind, importer }) => {
        const name = nameOf(path)
        if (!modules.has(name)) return { path, external: true }
        if (kind === 'entry-point' || (isInMain(name) && isInMain(importer))) return { path: name, namespace: 'code' }
        return { path: name, namespace: kind === 'dynamic-import' ? 'all' : 'names' }
      })
      build.onLoad({ filter: /(?:)/, namespace: 'code' }, ({ path }) => ({ contents: modules.get(path) ?? '' }))
      build.onLoad({ filter: /(?:)/, namespace: 'all' }, ({ path }) => ({
        contents: `module.exports=__load("${path}")`,
      }))
      build.onLoad({ filter: /(?:)/, namespace: 'names' }, ({ path }) => {
        const isAtStart = atStart.has(path)
        const names = namesOf(path).map((name) => (isAtStart ? `${inMain(name, path)}: ${name}` : name))
        return { contents: `export const { ${names.join()} } = ${isAtStart ? '__main' : `__load("${path}")`}` }
      })
    },
  }
  const built = await esbuild.build({
    ...options,
    outdir,
    format: 'cjs',
    // Node loads a second loader for `import()`.
    supported: { 'dynamic-import': false },
    metafile: false,
    write: false,
    entryPoints: [entry, ...chunks],
    plugins: [outputs],
  })
  const texts = new Map(built.outputFiles.map(({ path, text }) => [nameOf(path), text]))

  const inputs = Object.entries(metafile.outputs)
  const lazy = inputs.flatMap(([path, { entryPoint }]) => (entryPoint === undefined ? [] : nameOf(path)))
  const needs = lazy.map(needsOf)
  const isCommon = (name: string) =>
    !lazy.includes(name) && needs.filter((needed) => needed.has(name)).length * commonShare > lazy.length
  const { true: common = [], false: own = [] } = Object.groupBy(chunks, (name) => `${isCommon(name)}`)
  const fileOf = (names: readonly string[]) => {
    // V8 compiles a function in parentheses at once, and any other twice.
    const parts = names.map(
      (name) =>
        `exports["${name}"]=((__main,__load)=>{const module={exports:{}};${texts.get(name) ?? ''}return module.exports});`,
    )
    return `${top}${parts.join('')}exports.whole=true`
  }
  const commonFile = fileOf(common)
  const commonName = `common-${createHash('sha256').update(commonFile).digest('hex').slice(0, 8).toUpperCase()}`
  const files = [
    ...own.map((name) => [name, fileOf([name])] as const),
    ...(common.length > 0 ? [[commonName, commonFile] as const] : []),
    [
      main,
      `${top}${loader(Object.fromEntries(common.map((name) => [name, commonName])))}${texts.get(entry) ?? ''}`,
    ] as const,
  ]
  return {
    files: files.map(([name, text]) => ({
      path: join(outdir, `${name}.cjs`),
      contents: new TextEncoder().encode(text),
    })),
    // A source without bytes in the output costs nothing.
    startSources: inputs.flatMap(([path, { inputs }]) =>
      atStart.has(nameOf(path))
        ? Object.entries(inputs).flatMap(([source, { bytesInOutput }]) => (bytesInOutput > 0 ? [source] : []))
        : [],
    ),
  }
}

const nameOf = (path: string) => basename(path, '.js')

/** What a module of esbuild's output imports from another one. */
function readImports(text: string): { readonly from: string; readonly names: readonly string[] }[] {
  const found = text.matchAll(/^import (?:\{([^}]+)\} from )?"\.\/(.+)\.js";$/gm)
  return [...found].map(([, names, from = '']) => ({
    from,
    names: names?.split(',').map((each) => each.trim().replace(/ as .*/, '')) ?? [],
  }))
}
