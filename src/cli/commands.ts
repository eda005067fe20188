import type { Command } from './command.ts'

/** A command: a line about it, and its file, which is loaded when the command runs. */
export interface CommandRow {
  readonly summary: string
  /** Whether `npm run NAME` is this command. */
  readonly script?: true
  readonly load: () => Promise<{ readonly command: Command }>
}

/** The commands that need a checkout. The bundler leaves them out of a package. */
const checkoutCommands: Readonly<Record<string, CommandRow>> =
  typeof PACKAGED !== 'undefined'
    ? {}
    : {
        start: {
          summary: 'build the bundle and serve it with the local emulator',
          script: true,
          load: () => import('./commands/start.ts'),
        },
        dev: {
          summary: 'like start, and restart after each change',
          script: true,
          load: () => import('./commands/dev.ts'),
        },
        build: {
          summary: 'build the bundle and the library into dist',
          script: true,
          load: () => import('./commands/build.ts'),
        },
        package: { summary: 'build the zip to deploy', script: true, load: () => import('./commands/package.ts') },
        release: {
          summary: 'build everything for an air-gapped installation into dist/release',
          script: true,
          load: () => import('./commands/release.ts'),
        },
        func: {
          summary: 'serve the bundle with the real Functions host',
          script: true,
          load: () => import('./commands/func.ts'),
        },
        generate: {
          summary: 'write the files that are generated from code',
          script: true,
          load: () => import('./commands/generate.ts'),
        },
      }

/** Every command. npm scripts and the command of the package are rows of this table. */
export const commands: Readonly<Record<string, CommandRow>> = {
  serve: { summary: 'serve the built service until it is stopped', load: () => import('./commands/serve.ts') },
  health: { summary: 'print the health of the service on this machine', load: () => import('./commands/health.ts') },
  'smoke-test': {
    summary: 'check cloud profiles, and optionally the token',
    script: true,
    load: () => import('./commands/smoke-test.ts'),
  },
  discover: {
    summary: 'draft a profile from the metadata of a live cloud',
    load: () => import('./commands/discover.ts'),
  },
  explain: {
    summary: 'print each field of the active profile, its source, and the overridden values',
    load: () => import('./commands/explain.ts'),
  },
  settings: {
    summary: 'print every setting, its value and its source',
    load: () => import('./commands/settings.ts'),
  },
  check: { summary: 'validate custom profile files', load: () => import('./commands/check.ts') },
  scan: {
    summary: 'find what binds the source of an application to one cloud',
    load: () => import('./commands/scan.ts'),
  },
  drift: {
    summary: 'compare the active profile with the metadata of its live cloud',
    load: () => import('./commands/drift.ts'),
  },
  export: { summary: 'write the active profile for another tool', load: () => import('./commands/export.ts') },
  enclave: { summary: 'run a sovereign cloud on loopback', script: true, load: () => import('./commands/enclave.ts') },
  demo: { summary: 'run the service against that enclave', script: true, load: () => import('./commands/demo.ts') },
  ...checkoutCommands,
}
