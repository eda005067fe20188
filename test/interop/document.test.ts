import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../interop/client.ts'
import { clients } from '../../interop/clients.ts'
import { interopDocument, lastClients, lastRuns } from '../../interop/document.ts'
import type { ModeResult } from '../../interop/run-mode.ts'
import { exportFormats } from '../../src/lib/export/export-formats.ts'

const client: Client = {
  name: 'a client',
  version: '1.2.3',
  exports: ['go'],
  inCi: true,
  traps: ['It has a trap.'],
  install: () => Promise.resolve(),
  modes: [{ name: 'secret', authority: 'tenants', set: 'a | b', run: () => Promise.resolve() }],
}
const passed: ModeResult = {
  client: 'a client',
  version: '1.2.3',
  mode: 'secret',
  authority: 'tenants',
  passed: true,
  lookups: [],
}
const failed: ModeResult = {
  ...passed,
  mode: 'device code',
  passed: false,
  failure: '\nwhy\nand more',
  lookups: ['x.test'],
}
const render = (results: readonly ModeResult[], refused = new Map<string, string>()): string =>
  interopDocument({ clients: [client], results, refused })

describe('docs/interop.md', () => {
  test('names hosts of others only', async () => {
    const results = JSON.parse(await readFile('interop/results.json', 'utf8')) as ModeResult[]
    for (const { lookups } of results) {
      for (const name of lookups) expect(name).toMatch(/^[a-z0-9.-]+\.(?:com|net)$/)
    }
  })

  test('has a row for each mode, with the reason of a failure', () => {
    const document = render([passed, failed])
    expect(document).toContain(String.raw`| a client | 1.2.3 | secret | tenants | a \| b | passed |`)
    expect(document).toContain('| **failed**: why |')
  })

  test('an export has run with a client only when every mode passed', () => {
    const run = { client: 'a client', version: '1.2.3', modes: { secret: ['tenants'] }, lookups: ['y.test'] }
    expect(lastRuns([client], [{ ...passed, lookups: ['y.test'] }])).toEqual({ go: [run] })
    expect(lastRuns([client], [passed, failed])).toEqual({})
    expect(lastRuns([client], [])).toEqual({})
    const stopped: ModeResult = { ...passed, mode: 'absent', discovery: 'absent', lookups: ['y.test'] }
    expect(lastRuns([client], [passed, stopped])).toEqual({ go: [run] })
  })
})

test('every client names exports that exist, and has distinct names of modes', () => {
  for (const { exports, modes } of clients) {
    expect(Object.keys(exportFormats)).toEqual(expect.arrayContaining([...exports]))
    expect(new Set(modes.map(({ name, authority }) => `${name} ${authority}`)).size).toBe(modes.length)
  }
})

test('in CI the tool, Python, Go and JavaScript run', () => {
  const names = clients.filter(({ inCi }) => inCi).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['azure-cli', 'azure-identity for Python', 'go-autorest']))
  expect(names.some((name) => name.startsWith('@azure/identity'))).toBe(true)
})

test('the results on record are of clients and modes that exist, and nothing but them makes the document', async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
  const results = JSON.parse(await read('../../interop/results.json')) as ModeResult[]
  const known = clients.flatMap(({ name, modes }) => modes.map(({ name: mode, authority }) => [name, mode, authority]))
  for (const { client: name, mode, authority } of results) expect(known).toContainEqual([name, mode, authority])
  // `npm run interop -- --document` writes it. Which exports did not run is known from the exports.
  const withoutUnrun = (text: string) => text.replace(/## Read, not run[^]*?(?=## )/, '')
  const written = withoutUnrun(interopDocument({ clients, results, refused: new Map() }))
  expect(withoutUnrun(await read('../../docs/interop.md'))).toBe(written)
  expect(JSON.parse(await read('../../interop/last-run.json'))).toEqual(lastClients(clients, results))
})
