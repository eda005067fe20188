import { beforeAll, describe, expect, test } from 'vitest'
import type { SmokeTestRun } from '../../../src/lib/diagnostics/report.ts'
import { runInNamespace, withoutNamespaces } from '../../support/namespace.ts'
import { commandLine } from '../../support/start-command.ts'
import { situations } from './situations.ts'

type Found = SmokeTestRun['results'][number]

const inside = new URL('inside.ts', import.meta.url)
const titles = Object.keys(situations)

describe.skipIf(withoutNamespaces !== '')(`The root cause and its fix in a real network${withoutNamespaces}`, () => {
  let found: Record<string, Found> = {}
  beforeAll(async () => {
    // Most of the time passes with hosts that are silent.
    const parts = [0, 1, 2, 3].map((part) => titles.filter((_, index) => index % 4 === part))
    const run = (part: readonly string[]) => runInNamespace(inside, [commandLine, JSON.stringify(part)])
    found = Object.assign({}, ...(await Promise.all(parts.map(run)))) as typeof found
  })

  test.each(Object.entries(situations))('%s', (title, { code, fix, never, change, passed = [] }) => {
    const { rootCause, checks = [], ...rest } = found[title] ?? {}
    expect(rootCause ?? rest).toMatchObject({ code, fix, ...(change && { change }) })
    const passing = checks.filter(({ status }) => status === 'pass').map(({ id }) => id)
    expect(passing).toEqual(expect.arrayContaining([...passed]))
    const fixes = [rootCause?.fix, ...checks.map((check) => check.fix)].filter((text) => text !== undefined)
    expect(fixes.filter((text) => never?.test(text))).toEqual([])
  })
})
