import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SmokeTestRun } from '../../../src/lib/diagnostics/report.ts'
import { cleanEnvironment } from '../../support/environment.ts'
import { namespaceArguments, refusalOfNamespaces } from '../../support/namespace.ts'
import { commandLine } from '../../support/start-command.ts'
import { situations } from './situations.ts'

type Found = SmokeTestRun['results'][number]

const refusal = refusalOfNamespaces()
const inside = fileURLToPath(new URL('inside.ts', import.meta.url))
const titles = Object.keys(situations)

async function smokeTestIn(names: readonly string[]): Promise<Record<string, Found>> {
  const directory = mkdtempSync(join(tmpdir(), 'situations-'))
  const command = [process.execPath, inside, commandLine, JSON.stringify(names)]
  const options = { env: cleanEnvironment(), maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)('unshare', namespaceArguments(directory, command), options)
  rmSync(directory, { recursive: true })
  return JSON.parse(stdout) as Record<string, Found>
}

describe.skipIf(refusal !== undefined)(`the root cause and its fix in a real network${refusal ?? ''}`, () => {
  let found: Record<string, Found> = {}
  beforeAll(async () => {
    // Most of the time is waiting for what does not answer.
    const parts = [0, 1, 2, 3].map((part) => titles.filter((_, index) => index % 4 === part))
    found = Object.assign({}, ...(await Promise.all(parts.map(smokeTestIn)))) as typeof found
  })

  test.each(Object.entries(situations))('%s', (title, { code, fix, never, change }) => {
    const { rootCause, checks = [], ...rest } = found[title] ?? {}
    expect(rootCause ?? rest).toMatchObject({
      code,
      fix: expect.stringMatching(fix) as string,
      ...(change && { change }),
    })
    const fixes = [rootCause?.fix, ...checks.map((check) => check.fix)].filter((text) => text !== undefined)
    expect(fixes.filter((text) => never?.test(text))).toEqual([])
  })
})
