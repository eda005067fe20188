import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ModeTools, PlanOf } from '../../../src/lib/auth/modes/mode.ts'
import { platformCli, type ToolSignIn } from '../../../src/lib/auth/modes/platform-cli.ts'
import { Secret } from '../../../src/lib/base/secret.ts'
import { isServiceError } from '../../../src/lib/errors.ts'
import { toolVariables } from '../../../src/lib/settings/credential-values.ts'
import { allGone, isAlive } from '../../support/process-tree.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

// A stand-in for the tool where only its behavior as a child process matters; the real one is run against the enclave.
const directory = useTemporaryDirectory()
const path = (name: string) => join(directory.path, name)

function installTool(script: string): void {
  for (const name of readdirSync(directory.path)) rmSync(path(name))
  chmodSync(directory.write('az', `#!/bin/sh\n${script}\n`), 0o755)
}

interface Question {
  readonly audience?: string
  readonly tenantId?: string
  readonly signal?: AbortSignal
  readonly env?: Record<string, string>
}

async function ask({ audience = 'https://arm.test', tenantId = 'tenant.test', signal, env }: Question = {}) {
  const environment = new Secret(toolVariables({ PATH: `${directory.path}:/usr/bin:/bin`, ...env }))
  const plan = { tenantId, environment, isContainer: false } as PlanOf<'platformCli', ToolSignIn>
  try {
    const backend = await platformCli.build(plan, {} as ModeTools)
    return await backend.getToken(`${audience}/.default`, { abortSignal: signal ?? AbortSignal.timeout(200_000) })
  } catch (error) {
    if (isServiceError(error)) return error.code
    throw error
  }
}

const answer = (fields: object) => `printf '%s' '${JSON.stringify(fields)}'`
const token = answer({ accessToken: 't', expires_on: 1_800_000_000 })

const readPid = async (name: string) => Number(await readFile(path(name), 'utf8').catch(() => Number.NaN))

describe('the command-line tool', () => {
  test('is asked for the resource without /.default, and for the tenant', async () => {
    installTool(`printf '%s ' "$@" > ${directory.path}/args; ${token}`)
    expect(await ask()).toEqual({ token: 't', expiresOnTimestamp: 1_800_000_000_000 })
    const args = readFileSync(path('args'), 'utf8')
    expect(args.trim()).toBe('account get-access-token --output json --resource https://arm.test --tenant tenant.test')
  })

  test('gets none of our secrets and nothing else it does not need', async () => {
    installTool(`/usr/bin/env > ${directory.path}/env; ${token}`)
    const secrets = { PLATFORM_CLIENT_SECRET: 'planted', SOME_TOKEN: 'planted', AZURE_CLIENT_SECRET: 'planted' }
    await ask({ env: { ...secrets, HOME: directory.path } })
    const env = readFileSync(path('env'), 'utf8')
    expect(env).not.toContain('planted')
    expect(env).toContain(`HOME=${directory.path}`)
  })

  test('runs in a folder of the system, whatever the variables of another system say', async () => {
    installTool(`pwd > ${directory.path}/cwd; ${token}`)
    await ask({ env: { SYSTEMROOT: directory.path, SystemRoot: directory.path } })
    expect(readFileSync(path('cwd'), 'utf8')).toBe('/\n')
  })

  test.each([
    ['not logged in', `echo "ERROR: Please run 'az login' to setup account." >&2; exit 1`, 'CLI_NOT_LOGGED_IN'],
    ['another error', 'echo boom >&2; exit 3', 'CLI_FAILED'],
    ['something that is no JSON', 'echo hello', 'CLI_FAILED'],
    ['a token without an end', answer({ accessToken: 't' }), 'CLI_FAILED'],
    ['a shell that cannot find it', 'exit 127', 'CLI_NOT_INSTALLED'],
  ])('that answers with %s ends in its own code', async (_what, script, code) => {
    installTool(script)
    expect(await ask()).toBe(code)
  })

  test('that hangs, ignores SIGTERM and has children is ended with all of them', async () => {
    installTool(
      `trap '' TERM; echo $$ > ${directory.path}/parent; sh -c "trap '' TERM; echo \\$\\$ > ${directory.path}/child; sleep 600" & wait; sleep 600`,
    )
    const controller = new AbortController()
    const asked = ask({ signal: controller.signal })
    await expect.poll(() => readPid('child')).toBeGreaterThan(0)
    const pids = [await readPid('parent'), await readPid('child')]
    expect(pids.map(isAlive)).toEqual([true, true])
    controller.abort()
    expect(await asked).toBe('CLI_TIMEOUT')
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false])
  })

  test('is not started after the attempt has ended', async () => {
    installTool(`touch ${directory.path}/started`)
    expect(await ask({ signal: AbortSignal.abort() })).toBe('CLI_TIMEOUT')
    expect(readdirSync(directory.path)).toEqual(['az'])
  })

  test('that writes without end does not fill the memory', async () => {
    installTool('yes | head -c 5000000')
    expect(await ask()).toBe('CLI_FAILED')
  })

  test('that leaves a child behind, which holds its output open, gives its token at once and leaves no orphan', async () => {
    installTool(`sleep 600 & echo $! > ${directory.path}/orphan; ${token}`)
    expect(await ask()).toEqual({ token: 't', expiresOnTimestamp: 1_800_000_000_000 })
    await allGone([await readPid('orphan')])
  })

  test.each(['&calc', '%PATH%', '"', '\n'])('is not asked for %j, which a shell could interpret', async (text) => {
    installTool(`touch ${directory.path}/started`)
    expect(await ask({ audience: `https://arm.test/${text}` })).toBe('ARGUMENT_INVALID')
    expect(await ask({ tenantId: 'a b' })).toBe('ARGUMENT_INVALID')
    expect(readdirSync(directory.path)).toEqual(['az'])
  })
})
