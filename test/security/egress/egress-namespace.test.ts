import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { deployed } from './deployed.ts'
import { describeEgress } from './describe-egress.ts'
import type { NamespaceReport } from './namespace/inside.ts'
import { refusalOfNamespaces } from '../../support/namespace.ts'
import { runInNamespace } from './namespace/namespace.ts'
import { modes } from './subjects.ts'

const directory = useTemporaryDirectory()
const refusal = refusalOfNamespaces({ everyAddressIsHere: true })
const skipped = refusal === undefined ? '' : ` (skipped: ${refusal})`
// Not every reporter shows the titles of what was skipped.
if (refusal !== undefined) console.warn(`The egress test in a network namespace is skipped: ${refusal}`)

// From outside of the process: what it asks the name server, whom it reaches, and what the kernel counts.
describe.skipIf(refusal !== undefined)(`a network namespace that records all lookups and connections${skipped}`, () => {
  let reports: readonly NamespaceReport[] = []
  beforeAll(async () => {
    const half = Math.ceil(modes.length / 2)
    const shares = [modes.slice(0, half), modes.slice(half)]
    reports = await Promise.all(
      shares.map((share, index) => {
        const place = join(directory.path, String(index))
        mkdirSync(place)
        return runInNamespace(
          place,
          deployed(),
          share.map(({ label }) => label),
        )
      }),
    )
  })

  describeEgress(() => reports.flatMap(({ rows }) => rows))

  test('a request to an unnamed host is recorded', () => {
    for (const { control } of reports) {
      expect(control).toContainEqual({ kind: 'lookup', host: 'foreign.example.test' })
      expect(control).toContainEqual({ kind: 'connection', host: 'foreign.example.test', port: 443 })
    }
  })

  test('a connection to a port that nothing listens on is recorded', () => {
    for (const { closedPort } of reports) {
      expect(closedPort).toEqual([{ kind: 'connection', host: 'a closed port' }])
    }
  })
})
