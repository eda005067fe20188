import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { isFree } from '../../support/free-port.ts'
import { allGone, descendantsOf } from '../../support/process-tree.ts'
import { useProcesses } from '../../support/processes.ts'
import { repository } from '../../support/project-copy.ts'
import { commandLine, inBuiltProject } from '../../support/start-command.ts'
import { sourceShell } from '../../support/run-shell.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { readFault } from '../../../src/cli/open-enclave.ts'
import { faultTable, type FaultKind, enclaveAuthModes } from 'cloud-profile-enclave/choices'
import { runCommand } from '../run-command.ts'

const { start, run } = useProcesses()
const temp = useTemporaryDirectory()
const running = /Server running on http:\/\/localhost:(\d+)\nCloud: .*\nAuth Mode: (.*)\n/

function folderFor(name: string): string {
  const path = join(temp.path, name)
  mkdirSync(path)
  return path
}

describe('npm run enclave', () => {
  // integration/private-cloud.test.ts shows the enclave without --cloud.
  test('prints shell settings with which a smoke test acquires a token, and removes its files', async () => {
    const TMPDIR = folderFor('enclave')
    const options = ['--cloud', 'platform-us-government', '--container', 'uploads']
    const enclave = start([commandLine, 'enclave', ...options], { cwd: repository, env: { TMPDIR } })
    await enclave.printed(/export PLATFORM_CLIENT_SECRET=.*\n/)
    const env = sourceShell(enclave.output.stdout)
    const profile = JSON.parse(readFileSync(env['CUSTOM_CLOUD_PROFILE_PATH'] ?? '', 'utf8')) as CloudProfile
    expect(profile).toMatchObject({
      resourceManagerAudience: 'https://management.usgovcloudapi.net/',
      serviceDnsSuffixes: { storage: '.blob.core.usgovcloudapi.net' },
      authorityHost: /^https:\/\/localhost:\d+\/$/,
    })
    expect(enclave.output.stderr).toContain(`Storage account:  ${profile.services?.['blob']?.url}`)
    const [wide, narrow] = await Promise.all(
      ['80', '40'].map((COLUMNS) => {
        const more = { COLUMNS, PLATFORM_TOKEN_TIMEOUT_MS: '60000' }
        return run([commandLine, 'smoke-test', '--check-token'], { cwd: repository, env: { ...env, ...more } })
      }),
    )
    expect(wide).toMatchObject({ code: 0, stderr: '' })
    expect(wide?.stdout).toMatch(
      /^warn  platform-\S+\n\n {6}Host +proxy +dns +tcp +tls +response +token\n {6}authority /,
    )
    expect(narrow?.stdout).toMatch(/^warn  platform-\S+\n\n {6}authority +localhost:\d+\n {8}proxy: ok\n/)
    expect(Math.max(...(narrow?.stdout ?? '').split('\n').map((line) => line.length))).toBeLessThanOrEqual(40)
    enclave.signal('SIGTERM')
    expect(await enclave.ended).toMatchObject({ code: 0, signal: null })
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test('prints every address, that only other clients see a fault of storage, and SIGHUP removes its folder', async () => {
    const TMPDIR = folderFor('enclave-fault')
    const options = ['--mode', 'workloadIdentity', '--federation-service', '--fault', 'firewall', '--shell', 'env']
    const enclave = start([commandLine, 'enclave', ...options], { cwd: repository, env: { TMPDIR } })
    await enclave.printed(/^PLATFORM_TENANT_ID=adfs$/m)
    expect(readdirSync(TMPDIR)).toHaveLength(1)
    const { stderr } = enclave.output
    for (const address of ['Login authority: +https://localhost:\\d+/adfs/', 'Key vault: +https://localhost:\\d+/'])
      expect(stderr).toMatch(new RegExp(`^ {2}${address}$`, 'm'))
    expect(stderr).toContain('The service does not contact storage in this mode: only other clients see the fault\n')
    enclave.signal('SIGHUP')
    await enclave.ended
    expect(readdirSync(TMPDIR)).toEqual([])
  })
})

test.each(['enclave', 'demo'])(
  'npm run %s without a writable TMPDIR is one message and exit code 2',
  async (command) => {
    const TMPDIR = join(temp.path, 'missing')
    const { code, stdout, stderr } = await run([commandLine, command], { cwd: repository, env: { TMPDIR } })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^(Starting a simulated .*\n)?TMPDIR must name a folder .* cannot be used \(ENOENT\)\n$/)
  },
)

describe('npm run demo', () => {
  const demo = (args: readonly string[], TMPDIR: string) =>
    start([commandLine, 'demo', ...args], { ...inBuiltProject({ TMPDIR, AUTH_MODE: 'platformCli' }) })

  test.each([
    ['workloadIdentity', [], 'SIGTERM', { status: 'ok', token: { status: 'acquired' } }],
    ['deviceCode', [], 'SIGTERM', { status: 'pending', token: { status: 'pending' } }],
    [
      'managedIdentity',
      ['--fault', 'wrong-audience'],
      'SIGHUP',
      { status: 'failed', rootCause: { code: 'TOKEN_AUDIENCE_MISMATCH' } },
    ],
  ] as const)('--mode %s %j: the service shows it, and %s ends all', async (mode, fault, signal, shown) => {
    const TMPDIR = folderFor(`demo-${mode}`)
    const process = demo(['--mode', mode, ...fault], TMPDIR)
    const [, port, authMode] = await process.printed(running)
    expect(authMode).toBe(mode)
    const named = process.output.stderr.includes('Fault: wrong-audience at managed-identity: ')
    expect(named).toBe(fault.length > 0)
    expect(await (await fetch(`http://localhost:${port}/api/diagnostics`)).json()).toMatchObject(shown)
    const children = descendantsOf(process.pid)
    process.signal(signal)
    expect(await process.ended).toMatchObject({ code: 0 })
    await allGone(children)
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test.each(['it serves', 'its service is loading'])('killed while %s, it leaves no service', async (when) => {
    const process = demo([], folderFor(`demo-killed ${when}`))
    const [, port] = when === 'it serves' ? await process.printed(running) : []
    await expect.poll(() => descendantsOf(process.pid).length, { interval: 20 }).toBeGreaterThan(0)
    const children = descendantsOf(process.pid)
    process.signal('SIGKILL')
    await allGone(children)
    expect(port === undefined || (await isFree(Number(port)))).toBe(true)
  })
})

const kinds = Object.keys(faultTable) as FaultKind[]

test.each([
  ['wrong-audience@login/token', 'managedIdentity', /with this mode it applies to managed-identity/],
  ['device-missing-interval', 'clientSecret', /it has an effect with --mode deviceCode/],
  ['invalid-json@vault', 'clientSecret', /has no effect/],
  ['html@moon', 'clientSecret', /does not apply to "moon", only to login\/openid-configuration/],
  ['htm', 'clientSecret', /Unknown fault "htm"\. Did you mean html\?/],
  ['constructor', 'clientSecret', /Unknown fault/],
])('demo --fault %s --mode %s is a usage error', async (fault, mode, message) => {
  const demo = await runCommand(['demo', '--fault', fault, '--mode', mode])
  expect(demo).toMatchObject({ code: 2, stderr: message })
})

describe('--fault list starts nothing', () => {
  const list = async (...args: readonly string[]) => {
    const { code, stdout } = await runCommand([...args, '--fault', 'list'])
    expect(code).toBe(0)
    return stdout
  }
  const listed = (text: string) =>
    [...text.matchAll(/^([a-z][\w-]+)  .*?  +([\w/-]+)(?:,.*)?$/gm)].map(([, kind, target]) => ({ kind, target }))

  test.each(enclaveAuthModes)('demo --mode %s lists what the service detects, with the target', async (mode) => {
    const rows = listed(await list('demo', '--mode', mode))
    expect(rows.length).toBeGreaterThan(20)
    for (const { kind, target } of rows)
      expect(readFault(`${kind}@${target}`, mode, true)).toMatchObject({ target, isVisible: true })
    expect(rows.filter(({ target }) => target === 'storage').map(({ kind }) => kind)).toEqual(['firewall'])
  })

  test('a fault takes one line of a terminal', async () => {
    const { stdout } = await runCommand(['demo', '--fault', 'list'], { columns: 80 })
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.slice(1, -4).filter((line) => !kinds.some((kind) => line.startsWith(`${kind} `)))).toEqual([])
  })

  test('enclave lists the faults for other clients too', async () => {
    const rows = listed(await list('enclave'))
    expect(rows.map(({ kind }) => kind)).toEqual(kinds)
    expect(rows).toContainEqual({ kind: 'firewall', target: 'storage' })
  })
})
