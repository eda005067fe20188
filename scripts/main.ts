import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type CommandRow, runCommandLine } from '../src/cli/command-line.ts'
import { runProcess } from '../src/cli/run-process.ts'

// The scripts of this folder build, check, release and generate files of the repository. No shipped code imports them.

const scripts: Readonly<Record<string, CommandRow>> = {
  start: { summary: 'build the bundle and serve it with the local emulator', load: () => import('./start.ts') },
  dev: { summary: 'run the service, and restart it after each change', load: () => import('./dev.ts') },
  build: { summary: 'build the bundle, the library and the enclave into dist', load: () => import('./build.ts') },
  release: {
    summary: 'build everything for an air-gapped installation into dist/release',
    load: () => import('./release.ts'),
  },
  func: { summary: 'serve the bundle with the real Functions host', load: () => import('./func.ts') },
  check: {
    summary: 'check types, lint, import rules, unused code, format, generated files and words',
    load: () => import('./check.ts'),
  },
  generate: { summary: 'write the files that are generated from code', load: () => import('./generate.ts') },
  'compare-clouds': {
    summary: 'compare the cloud files with the newest packages that contain values of clouds',
    load: () => import('./compare-clouds.ts'),
  },
}

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)))
void runProcess((terminal) =>
  runCommandLine(process.argv.slice(2), terminal, { program: 'node scripts/main.ts', groups: { '': scripts } }),
)
