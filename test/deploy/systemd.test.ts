import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { settingRows } from '../../src/lib/variables.ts'
import { repository } from '../support/project-copy.ts'
import { findTool, runTool } from './tools.ts'

const analyze = findTool('systemd-analyze', 'Install systemd of Debian (.ci/deploy-tools does).')
const python = ['/usr/bin/python3'].find((path) => {
  const found = runTool('sh', ['-c', `command -v ${path} >/dev/null && ${path} -c 'import seccomp'`]).code === 0
  if (!found) process.stderr.write('SKIPPED: there is no seccomp for Python here. Install python3-seccomp of Debian.\n')
  return found
})

const folder = join(repository, 'deploy/systemd')
const units = readdirSync(folder)
const services = units.filter((name) => name.endsWith('.service'))
const scratch = mkdtempSync(join(tmpdir(), 'systemd-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const read = (name: string) => readFileSync(join(folder, name), 'utf8')
/** The values of a directive, in their order. */
const valuesOf = (unit: string, directive: string) =>
  [...unit.matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'))].map(([, value = '']) => value)

describe.skipIf(analyze === undefined)('The units', () => {
  test.each([
    ['as they are', (text: string) => text],
    [
      'with every credential that they offer',
      (text: string) => text.replaceAll(/^#(?=LoadCredential|Environment)/gm, ''),
    ],
  ])('are valid %s', (how, edit) => {
    const folder = mkdtempSync(join(scratch, 'units-'))
    const copies = units.map((name) => {
      const copy = join(folder, name)
      // The unit is checked against the Node of this machine.
      writeFileSync(copy, edit(read(name)).replaceAll('/usr/bin/node', process.execPath))
      return copy
    })
    expect(services.every((name) => (edit(read(name)) === read(name)) === (how === 'as they are'))).toBe(true)
    expect(runTool(analyze ?? '', ['verify', '--man=no', ...copies])).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test.each(services)('%s has an exposure of at most 2.0', (name) => {
    const args = ['security', '--offline=true', '--threshold=20', '--no-pager', join(folder, name)]
    const { code, stdout } = runTool(analyze ?? '', args)
    const level = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])
    expect([code, level <= 2]).toEqual([0, true])
    expect(valuesOf(read(name), 'DynamicUser')).toEqual(['yes'])
    expect(valuesOf(read(name), 'ProtectSystem')).toEqual(['strict'])
  })
})

test('every secret can come as a credential: each _PATH setting has its lines in the unit of the service', () => {
  const secrets = settingRows.filter(({ secret }) => secret).map(({ name }) => `${name}_PATH`)
  expect(secrets.length).toBeGreaterThan(3)
  const unit = read('cloud-profile.service')
  expect(services.map(read).join('')).not.toMatch(/^#?Environment=.*(SECRET|PASSWORD|HOST_KEY)=/m)
  for (const name of secrets) expect(unit).toMatch(new RegExp(`^#?Environment=${name}=%d/`, 'm'))
  const job = read('cloud-profile-smoke-test.service')
  // The smoke test has no server, so it needs no key.
  for (const name of secrets.filter((each) => each !== 'PLATFORM_HOST_KEY_PATH')) {
    expect(job).toContain(`Environment=${name}=%d/`)
  }
})

/** Runs the rest of its arguments under the filter of system calls that it is given on stdin: names to allow. */
const withFilter = `
import os, seccomp, sys
allowed = seccomp.SyscallFilter(seccomp.ERRNO(1))
for name in open(sys.argv[1]).read().split():
    try:
        allowed.add_rule(seccomp.ALLOW, name)
    except Exception:
        pass
allowed.load()
os.execv(sys.argv[2], sys.argv[2:])
`

/** The system calls of a group, as this systemd knows it. */
function callsOf(group: string): Set<string> {
  const { stdout } = runTool(analyze ?? '', ['syscall-filter', '--no-pager', group])
  const lines = stdout.split('\n').map((line) => line.trim())
  const names = lines.slice(1).filter((line) => line !== '' && !line.startsWith('#'))
  return new Set(names.flatMap((name) => (name.startsWith('@') ? [...callsOf(name)] : [name])))
}

function allowedCalls(unit: string): readonly string[] {
  const allowed = new Set<string>()
  for (const value of valuesOf(unit, 'SystemCallFilter')) {
    const isDenied = value.startsWith('~')
    for (const group of value.replace('~', '').split(' ')) {
      for (const name of callsOf(group)) {
        if (isDenied) allowed.delete(name)
        else allowed.add(name)
      }
    }
  }
  return [...allowed]
}

describe.skipIf(analyze === undefined || python === undefined)('Under the system calls of the unit', () => {
  const unit = read('cloud-profile.service')
  const [command = ''] = valuesOf(unit, 'ExecStart')
  const script = command.split(' ')[1]?.replace('/opt/cloud-profile/', '') ?? ''

  test('the packed command serves, runs diagnostics, and stops on request', async () => {
    runTool('tar', ['xzf', join(repository, 'dist/release/cloud-profile-2.0.0.tgz'), '-C', scratch])
    const calls = join(scratch, 'calls')
    writeFileSync(calls, allowedCalls(unit).join('\n'))
    writeFileSync(join(scratch, 'host-key'), 'a-key-of-the-host\n')
    const args = ['-c', withFilter, calls, process.execPath, join(scratch, script), 'serve']
    const service = spawn(python ?? '', args, {
      cwd: '/',
      env: { PORT: '0', PLATFORM_CLOUD: 'platform-us-gov-secret', PLATFORM_HOST_KEY_PATH: join(scratch, 'host-key') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      let output = ''
      for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
      await expect.poll(() => output).toContain('Auth Mode: ')
      const port = /localhost:(\d+)/.exec(output)?.[1]
      const headers = { 'x-functions-key': 'a-key-of-the-host' }
      for (const path of ['/', '/api/diagnostics', '/api/health']) {
        expect((await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status).toBe(200)
      }
      const ended = once(service, 'exit')
      service.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      service.kill('SIGKILL')
    }
  })
})
