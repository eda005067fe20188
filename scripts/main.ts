import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { CommandRow } from '../src/cli/command-line.ts'
import { runCommandLine } from '../src/cli/command-line.ts'
import { runProcess } from '../src/cli/run-process.ts'

/** How this repository is built, packaged, released and generated. `npm run NAME` runs a row. */
const scripts: Readonly<Record<string, CommandRow>> = {
  dev: { summary: 'like npm start, and restart after each change', load: () => import('./dev.ts') },
  build: { summary: 'build the bundle and the library into dist', load: () => import('./build.ts') },
  package: {
    summary: 'build the zip to deploy',
    load: async () => ({ command: (await import('./build.ts')).packageCommand }),
  },
  release: {
    summary: 'build everything for an air-gapped installation into dist/release',
    load: () => import('./release.ts'),
  },
  func: { summary: 'serve the bundle with the real Functions host', load: () => import('./func.ts') },
  generate: { summary: 'write the files that are generated from code', load: () => import('./generate.ts') },
}

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)))
void runProcess((terminal) =>
  runCommandLine(process.argv.slice(2), terminal, {
    program: 'node scripts/main.ts',
    rows: scripts,
    called: (name) => `npm run ${name} --`,
  }),
)
