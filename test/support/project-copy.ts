import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

const folders = ['cloud-profiles', 'deploy', 'packages', 'scripts', 'src']
const files = ['build.ts', 'host.json', 'local.settings.sample.json', 'LICENSE', 'package-lock.json', 'package.json']
const parts = [...folders, ...files, 'tsconfig.build.json', 'tsconfig.json']

/** Copies what builds and runs the service, so that a test may change it. Packages of others are links; workspaces are the copy's. */
export function copyProject(to: string): string {
  mkdirSync(to, { recursive: true })
  const filter = (source: string) => !source.endsWith('node_modules')
  for (const part of parts) cpSync(join(repository, part), join(to, part), { recursive: true, filter })
  mkdirSync(join(to, 'node_modules'))
  for (const name of readdirSync(join(repository, 'node_modules'))) link(`node_modules/${name}`, to)
  return to
}

/** Links one folder of `node_modules` into a copy of the project. The link of a workspace is relative. */
function link(path: string, project: string): void {
  const source = join(repository, path)
  symlinkSync(lstatSync(source).isSymbolicLink() ? readlinkSync(source) : source, join(project, path), 'dir')
}

/** Links the packages into a copy of the project, as `npm ci` or `npm ci --omit=dev` would install them. */
export function linkPackages(project: string, { development }: { readonly development: boolean }): void {
  rmSync(join(project, 'node_modules'), { recursive: true })
  const lockfile: unknown = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'))
  const { packages: locked } = lockfile as { readonly packages: Readonly<Record<string, { readonly dev?: true }>> }
  for (const [path, { dev = false }] of Object.entries(locked)) {
    const isDirect = path.lastIndexOf('node_modules/') === 0
    if (!isDirect || (dev && !development) || !existsSync(join(repository, path))) continue
    mkdirSync(dirname(join(project, path)), { recursive: true })
    link(path, project)
  }
}

/** Copies what is deployed, and nothing else, out of a project in which it was built. */
export function copyDeployable(project: string, to: string): string {
  mkdirSync(to, { recursive: true })
  const chunks = chunksOf(project).map((name) => `dist/${name}`)
  for (const part of ['host.json', 'package.json', 'cloud-profiles', 'dist/main.cjs', ...chunks]) {
    cpSync(join(project, part), join(to, part), { recursive: true })
  }
  return to
}

/** The files of the chunks that the built `dist/main.cjs` of a directory names, itself or by another chunk, such as `page-7DPT4RNX.cjs`. */
export function chunksOf(directory: string): string[] {
  const files = new Set(['main.cjs'])
  for (const file of files) {
    const text = readFileSync(join(directory, 'dist', file), 'utf8')
    for (const [, name = ''] of text.matchAll(/"\.\/([a-z-]+-[0-9A-Z]{8})\.js"/g)) {
      if (existsSync(join(directory, 'dist', `${name}.cjs`))) files.add(`${name}.cjs`)
    }
  }
  return [...files].filter((file) => file !== 'main.cjs').sort()
}

export function chunkOf(directory: string, module: string): string {
  const name = chunksOf(directory).find((each) => each.startsWith(`${module}-`))
  if (name === undefined) throw new Error(`dist/main.cjs asks for no chunk of ${module}`)
  return join(directory, 'dist', name)
}
