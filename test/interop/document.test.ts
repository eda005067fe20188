import { describe, expect, test } from 'vitest'
import type { Client } from '../../interop/client.ts'
import { clients } from '../../interop/clients.ts'
import { interopDocument, lastRuns } from '../../interop/document.ts'
import type { ModeResult } from '../../interop/run-mode.ts'
import { exportFormats } from '../../src/lib/export/export-formats.ts'

const client: Client = {
  name: 'a client',
  version: '1.2.3',
  exports: ['go'],
  inCi: true,
  traps: ['It has a trap.'],
  install: () => Promise.resolve(),
  modes: [],
}
const passed: ModeResult = {
  client: 'a client',
  mode: 'secret',
  authority: 'tenants',
  set: 'a | b',
  passed: true,
  requests: ['login: POST /{tenant}/oauth2/v2.0/token 200'],
  lookups: [],
  seconds: 1,
}
const failed: ModeResult = {
  ...passed,
  mode: 'device code',
  passed: false,
  failure: '\nwhy\nand more',
  lookups: ['x.test'],
}
const render = (results: readonly ModeResult[], refused = new Map<string, string>()): string =>
  interopDocument({ clients: [client], results, refused, refusal: undefined })

describe('docs/interop.md', () => {
  test('has a row for each mode, with the reason of a failure', () => {
    const document = render([passed, failed])
    expect(document).toContain(String.raw`| a client | 1.2.3 | secret | tenants | a \| b | passed |`)
    expect(document).toContain('| **failed**: why |')
  })

  test('warns of each other host name that a client looked up, and lists the requests to the enclave', () => {
    expect(render([passed])).toContain('It looked up no other host name.')
    const document = render([passed, failed])
    expect(document).toContain('**Warning**: it also looked up `x.test`.')
    expect(document).toContain('- `login: POST /{tenant}/oauth2/v2.0/token 200`')
    expect(document).toContain('- It has a trap.')
  })

  test('names what cannot be had, with what was tried', () => {
    expect(render([], new Map([['a client', 'mvn ended with 1']]))).toContain('- **a client**: mvn ended with 1.')
  })

  test('an export has run with a client only when every mode passed', () => {
    const run = { client: 'a client', version: '1.2.3', modes: { secret: ['tenants'] }, lookups: ['y.test'] }
    expect(lastRuns([client], [{ ...passed, lookups: ['y.test'] }])).toEqual({ go: [run] })
    expect(lastRuns([client], [passed, failed])).toEqual({})
    expect(lastRuns([client], [])).toEqual({})
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
