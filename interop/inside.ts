import { writeFile } from 'node:fs/promises'
import { startNameServer } from './name-server.ts'
import { clients } from './clients.ts'
import { createNames } from './names.ts'
import { type ModeResult, runMode } from './run-mode.ts'

// Runs the named clients and writes what became of them. With `recorded` it is inside of a namespace without a route,
// whose names it answers itself.
const [report = '', cache = '', wanted = '', recorded = '', ...names] = process.argv.slice(2)
const known = recorded === 'recorded' ? createNames() : undefined
const server = known && (await startNameServer(53, known.addressOf))
const takeLookups = (): string[] => server?.takeNames() ?? []

const results: ModeResult[] = []
for (const client of clients.filter(({ name }) => names.includes(name))) {
  for (const mode of client.modes.filter(({ name }) => name.includes(wanted))) {
    if (known === undefined && (mode.namesAccount === true || mode.discovery !== undefined)) {
      process.stderr.write(`skipped ${client.name}, ${mode.name}, ${mode.authority}: no network namespace here\n`)
      continue
    }
    const result = await runMode(client, mode, { cache, names: known, takeLookups })
    results.push(result)
    const outcome = result.passed ? 'passed' : 'FAILED'
    process.stderr.write(`${outcome} ${result.client}, ${result.mode}, ${result.authority}\n`)
    if (result.failure !== undefined) process.stderr.write(`${result.failure}\n`)
  }
}
await writeFile(report, JSON.stringify(results))
process.exit(0)
