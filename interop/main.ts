import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { clients } from './clients.ts'
import { interopDocument, lastClients } from './document.ts'
import type { Client } from './client.ts'
import { namespaceArguments, refusalOfNamespaces } from '../test/support/namespace.ts'
import type { ModeResult } from './run-mode.ts'
import { runProgram } from './run-program.ts'

const usage = `Usage: npm run interop -- [--ci] [--only CLIENT]…

Runs real clients against the enclave, each started from our exports or our metadata host and nothing else. The first run
installs them into interop/.cache (or INTEROP_CACHE); later ones need no network. A run of all modes of a client replaces
its results in interop/results.json, and writes docs/interop.md from all results.

  --ci            the clients that run in CI only; writes no file
  --install       install the clients and run nothing
  --document      run nothing; write docs/interop.md from the results on record
  --mode TEXT     only modes whose name contains TEXT
  --only CLIENT   this client only: ${clients.map(({ name }) => name).join(', ')}
  --help          this text
`

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const cache = process.env['INTEROP_CACHE'] ?? at('.cache')
const say = (line: string): boolean => process.stderr.write(`${line}\n`)

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      ci: { type: 'boolean', default: false },
      install: { type: 'boolean', default: false },
      document: { type: 'boolean', default: false },
      mode: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const unknown = values.only.filter((name) => clients.every((client) => client.name !== name))
  if (unknown.length > 0) {
    say(`There is no client ${unknown.join(', ')}; --help names them.`)
    return 2
  }
  if (values.document) {
    await record([], new Map())
    return 0
  }
  const chosen = clients.filter(
    ({ name, inCi }) => (values.only.length === 0 || values.only.includes(name)) && (!values.ci || inCi),
  )
  const refused = await installAll(chosen)
  if (values.install) return refused.size === 0 ? 0 : 1
  const directory = await mkdtemp(join(tmpdir(), 'interop-run-'))
  const refusal = refusalOfNamespaces()
  if (refusal !== undefined) say(`No network namespace here (${refusal}): names that are looked up are not recorded.`)
  const names = chosen.map(({ name }) => name).filter((name) => !refused.has(name))
  const report = join(directory, 'report.json')
  const command = [process.execPath, at('inside.ts'), report, cache, values.mode]
  await (refusal === undefined
    ? runChild('unshare', namespaceArguments(directory, [...command, 'recorded', ...names]))
    : runChild(process.execPath, [...command.slice(1), '', ...names]))
  const results = JSON.parse(await readFile(report, 'utf8')) as ModeResult[]
  await rm(directory, { recursive: true })

  const failed = results.filter(({ passed }) => !passed)
  for (const { client, mode, authority, failure } of failed)
    say(`\n${client}, ${mode}, ${authority}:\n${failure ?? ''}`)
  // Without a namespace some modes did not run, and no name was recorded.
  if (values.mode === '' && !values.ci && refusal === undefined) await record(results, refused)
  process.stdout.write(`${results.length - failed.length} passed, ${failed.length + refused.size} failed\n`)
  return failed.length + refused.size === 0 && results.length > 0 ? 0 : 1
}

/** Replaces the results of the clients that ran, in the order of the table of clients. */
async function record(results: readonly ModeResult[], refused: ReadonlyMap<string, string>): Promise<void> {
  const earlier = JSON.parse(await readFile(at('results.json'), 'utf8')) as ModeResult[]
  const ran = new Set(results.map(({ client }) => client))
  const kept = [...earlier.filter(({ client }) => !ran.has(client)), ...results]
  const all = clients.flatMap(({ name }) => kept.filter(({ client }) => client === name))
  await writeFile(at('results.json'), `[\n${all.map((result) => JSON.stringify(result)).join(',\n')}\n]\n`)
  await writeFile(at('last-run.json'), `${JSON.stringify(lastClients(clients, all), null, 2)}\n`)
  await writeFile(at('../docs/interop.md'), interopDocument({ clients, results: all, refused }))
}

async function runChild(command: string, args: readonly string[]): Promise<void> {
  await once(spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }), 'exit')
}

/** Installs what is not there yet. @returns Why a client cannot be had, by its name. */
async function installAll(chosen: typeof clients): Promise<ReadonlyMap<string, string>> {
  const refused = new Map<string, string>()
  await mkdir(cache, { recursive: true })
  for (const client of chosen) {
    try {
      const seconds = await installClient(client, cache)
      if (seconds !== undefined) say(`${client.name} ${client.version} installed in ${seconds.toFixed(0)} s`)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      refused.set(client.name, why)
      say(`${client.name} ${client.version} cannot be had: ${why}`)
    }
  }
  return refused
}

/**
 * Brings a client into the cache, once for each version.
 *
 * @returns Seconds that it took, or `undefined` when it was there.
 * @throws {Error} With what was tried, when it cannot be had.
 */
async function installClient(client: Client, cache: string): Promise<number | undefined> {
  const stamp = join(cache, 'installed', stampOf(client))
  if (existsSync(stamp)) return undefined
  await mkdir(join(cache, 'installed'), { recursive: true })
  const started = performance.now()
  const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']))
  await client.install({
    cache,
    run: (command, args, options = {}) => runProgram(command, args, { ...options, env: { ...env, ...options.env } }),
  })
  await writeFile(stamp, `${client.name} ${client.version}\n`)
  return (performance.now() - started) / 1000
}

/** Another way to install is another stamp too. */
function stampOf({ name, version, install }: Client): string {
  return createHash('sha256').update(`${name} ${version} ${install.toString()}`).digest('hex').slice(0, 16)
}

process.exitCode = await run()
