import type { Command } from './command.ts'

/** A command by its name: what it does in a line, and the file that is loaded when it is asked for. */
export interface CommandRow {
  readonly what: string
  /** Whether `npm run NAME` is this command. */
  readonly script?: true
  readonly load: () => Promise<{ readonly command: Command }>
}

/** What works on a checkout only. The bundler sees here that a package has none of it, and leaves it out. */
const checkoutCommands: Readonly<Record<string, CommandRow>> =
  typeof PACKAGED !== 'undefined'
    ? {}
    : {
        start: { what: 'builds the bundle and serves it', script: true, load: () => import('./commands/start.ts') },
        dev: { what: 'the same, anew after each change', script: true, load: () => import('./commands/dev.ts') },
        build: { what: 'the bundle and the library in dist', script: true, load: () => import('./commands/build.ts') },
        package: { what: 'the zip to deploy', script: true, load: () => import('./commands/package.ts') },
        release: {
          what: 'everything that leaves the house, in dist/release',
          script: true,
          load: () => import('./commands/release.ts'),
        },
        func: {
          what: 'the bundle under the real Functions host',
          script: true,
          load: () => import('./commands/func.ts'),
        },
        generate: {
          what: 'the files that are made from code',
          script: true,
          load: () => import('./commands/generate.ts'),
        },
      }

/** Every command. npm scripts and the command of the package are rows of this table. */
export const commands: Readonly<Record<string, CommandRow>> = {
  serve: { what: 'serves what is built, until it is stopped', load: () => import('./commands/serve.ts') },
  health: { what: 'asks the service of this machine for its health', load: () => import('./commands/health.ts') },
  'smoke-test': {
    what: 'checks cloud profiles, and on request the token',
    script: true,
    load: () => import('./commands/smoke-test.ts'),
  },
  discover: {
    what: 'drafts a profile from the metadata of a live cloud',
    load: () => import('./commands/discover.ts'),
  },
  explain: {
    what: 'each field of the profile in force, its source, and the values it beat',
    load: () => import('./commands/explain.ts'),
  },
  check: { what: 'validates custom profile files', load: () => import('./commands/check.ts') },
  drift: {
    what: 'holds the profile in force against the metadata of its live cloud',
    load: () => import('./commands/drift.ts'),
  },
  export: { what: 'hands the profile in force to another tool', load: () => import('./commands/export.ts') },
  enclave: { what: 'a sovereign cloud on loopback', script: true, load: () => import('./commands/enclave.ts') },
  demo: { what: 'the service against that enclave', script: true, load: () => import('./commands/demo.ts') },
  ...checkoutCommands,
}
