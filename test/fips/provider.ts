import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The validated release of the provider; this version of the crate `openssl-src` holds its sources. */
const version = '3.1.2'
const crate = `300.1.3+${version}`

export interface FipsProvider {
  /** The value of OPENSSL_CONF. */
  readonly configuration: string
  /** The value of OPENSSL_MODULES. */
  readonly modules: string
}

/** Builds the provider once (about two minutes), later runs take it from the user's cache. Throws if a tool is missing. */
export function provideFips(): FipsProvider {
  const cache = process.env['XDG_CACHE_HOME']?.trim() || join(homedir(), '.cache')
  const modules = join(cache, 'cloud-profile-service', `openssl-fips-${version}`)
  if (!existsSync(modules)) build(modules)
  return { configuration: join(modules, 'openssl.cnf'), modules }
}

/** The folder appears under its final name only when it is complete. */
function build(destination: string): void {
  const work = mkdtempSync(join(tmpdir(), 'openssl-fips-'))
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 })
  try {
    const sources = join(work, 'sources')
    cpSync(downloadSources(work, run), sources, { recursive: true, dereference: true })
    run('perl', ['./Configure', 'enable-fips', 'no-tests', 'no-legacy', 'no-engine'], sources)
    run('make', ['-j2', 'build_generated'], sources)
    run('make', ['-j2', 'providers/fips.so'], sources)
    mkdirSync(dirname(destination), { recursive: true })
    const complete = mkdtempSync(`${destination}-`)
    copyFileSync(join(sources, 'providers', 'fips.so'), join(complete, 'fips.so'))
    run(
      'openssl',
      ['fipsinstall', '-module', join(complete, 'fips.so'), '-out', join(complete, 'fipsmodule.cnf')],
      work,
    )
    writeFileSync(join(complete, 'openssl.cnf'), configurationFor(destination))
    renameSync(complete, destination)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function downloadSources(work: string, run: (command: string, args: readonly string[], cwd: string) => void): string {
  const name = 'openssl-src'
  const manifest = `[package]\nname = "sources"\nversion = "0.0.0"\n[dependencies]\n${name} = "=${crate}"\n`
  mkdirSync(join(work, 'src'))
  writeFileSync(join(work, 'src', 'lib.rs'), '')
  writeFileSync(join(work, 'Cargo.toml'), manifest)
  run('cargo', ['vendor', '--quiet', 'vendor'], work)
  return join(work, 'vendor', name, 'openssl')
}

/** Node reads the section `nodejs_conf`; `base` holds the encoders, without which no key can be read. */
const configurationFor = (directory: string) => `nodejs_conf = openssl_init
openssl_conf = openssl_init
.include ${join(directory, 'fipsmodule.cnf')}

[openssl_init]
providers = providers
alg_section = algorithms

[providers]
fips = fips_sect
base = base_sect

[base_sect]
activate = 1

[algorithms]
default_properties = fips=yes
`
