import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment, offline } from '../../support/environment.ts'
import { issueCertificate } from '../../support/issue-certificate.ts'
import { useProcesses } from '../../support/processes.ts'
import { commandLine, inBuiltProject } from '../../support/start-command.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { runCommand } from '../run-command.ts'
import { isFree } from '../../support/free-port.ts'
import { allGone, descendantsOf } from '../../support/process-tree.ts'
import { copyProject } from '../../support/project-copy.ts'
import { readServerOptions } from '../../../src/cli/serve-app.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'

const { start } = useProcesses()
const directory = useTemporaryDirectory()
const running = /^Server running on (https?):\/\/\S+:(\d+)\n.*\n.*\n/
const key = 'a-key-of-the-host'
const serveCommand = [commandLine, 'serve']
/** The secret enclave's placeholders need no network. */
const settings = { ...offline, PORT: '0' }

/** The service under a shell that first does something to it. */
async function startUnderShell(script: string, env: NodeJS.ProcessEnv = {}) {
  const words = ['-c', `${script}exec "$0" "$@"`, process.execPath, ...serveCommand]
  const service = start(words, { ...inBuiltProject({ ...settings, ...env }), command: 'sh' })
  const [, , port = ''] = await service.printed(running)
  return { service, port: Number(port), url: `http://localhost:${port}` }
}

test.each([
  [['--grace', '2'], {}, /^--grace must be a whole number of seconds from 3 to 3600/],
  [['--grace', '3601'], {}, /^--grace must be /],
  [['--grace', '1.5'], {}, /^--grace must be /],
  [[], { PLATFORM_LISTEN_ADDRESS: '0.0.0.0' }, /^.*PLATFORM_HOST_KEY.*\n$/],
])('%j with %j ends the start with a message', async (options, env, stderr) => {
  const ended = await runCommand(['serve', ...options], { env: { ...settings, ...env } })
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr })
})

describe('It works with', () => {
  test.each([
    ['64 file descriptors and as many idle connections', 'ulimit -n 64; ', {}],
    ['no HOME, no TMPDIR and an unknown user', 'unset HOME TMPDIR; ', { HOME: '', TMPDIR: '/nowhere' }],
    ['a full disk behind its log', 'exec 2>/dev/full; ', { PLATFORM_LOG_LEVEL: 'verbose' }],
    ['a log that is closed', 'exec 2>&-; ', { PLATFORM_LOG_LEVEL: 'verbose' }],
  ])('%s', async (_, script, env) => {
    const { service, port, url } = await startUnderShell(script, env)
    const idle = Array.from({ length: 64 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
    for (const path of ['/', '/api/diagnostics', '/api/profile', '/api/health', '/api/diagnostics'])
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200])
    for (const socket of idle) socket.destroy()
    service.signal('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0, signal: null })
  })
})

// Each round is 37 kB of log, and a pipe has room for 64.
test.each([
  ['goes', 1],
  ['does not read', 4],
])('a reader of its log that %s neither ends nor delays it', async (what, rounds) => {
  const { cwd, env } = inBuiltProject({ ...settings, PLATFORM_LOG_LEVEL: 'verbose' })
  const child = spawn(process.execPath, serveCommand, { cwd, env: cleanEnvironment(env) })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (what === 'goes') child.stderr.destroy()
  let stdout = ''
  child.stdout.on('data', (chunk) => (stdout += String(chunk)))
  await expect.poll(() => stdout).toMatch(running)
  const url = `http://localhost:${running.exec(stdout)?.[2]}`
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(Array.from({ length: 25 }, () => fetch(`${url}/admin/functions/smokeTest`, post)))
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(child.exitCode).toBe(0)
})

const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"input":""}' }

test('every line of its log is one JSON object with time, level and version', async () => {
  const { service, url } = await startUnderShell('', { PLATFORM_LOG_LEVEL: 'verbose', AUTH_MODE: 'clientSecret' })
  await fetch(`${url}/api/diagnostics`)
  await fetch(`${url}/admin/functions/smokeTest`, post)
  await fetch(url, { headers: { host: 'evil.example' } })
  await setTimeout(300)
  service.signal('SIGTERM')
  const { stderr } = await service.ended
  const lines = stderr.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ time: /./, level: /./, version: '2.0.0' })
})

test('an error that nobody caught ends it with one line, and shows nothing that the error carries', async () => {
  const crash = directory.write(
    'crash.cjs',
    `process.on('SIGUSR2', () => { throw Object.assign(new Error('stray'), { request: { body: 'hunter2' }, cause: 'hunter2' }) })`,
  )
  const env = { NODE_OPTIONS: `--require=${crash}`, SMOKE_TEST_SCHEDULE: '0 0 6 * * *' }
  const { service } = await startUnderShell('', env)
  service.signal('SIGUSR2')
  const { code, stderr } = await service.ended
  const last = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as object
  expect([code, last]).toMatchObject([3, { level: 'error', message: /stops: Error: stray at / }])
  expect(stderr).not.toContain('hunter2')
})

test('A stop with --grace first fails readiness and answers requests that begin, then ends with 0', async () => {
  const service = start([...serveCommand, '--grace', '8'], inBuiltProject(settings))
  const [, , port = ''] = await service.printed(running)
  const status = async (path: string) => (await fetch(`http://localhost:${port}${path}`)).status
  expect(await status('/api/health?ready')).toBe(200)
  service.signal('SIGTERM')
  await expect.poll(() => status('/api/health?ready'), { interval: 20 }).toBe(503)
  expect([await status('/api/health'), await status('/api/profile')]).toEqual([200, 200])
  expect(await service.ended).toMatchObject({ code: 0, signal: null })
})

describe('The command health', () => {
  const health = [commandLine, 'health']

  test('says how the service on this machine is, over https too, and without a key', async () => {
    const pair = await issueCertificate('any.name.example')
    const env = {
      PLATFORM_HOST_KEY: key,
      PLATFORM_LISTEN_ADDRESS: '0.0.0.0',
      PLATFORM_TLS_CERTIFICATE_PATH: directory.write('health.crt', pair.certificate),
      PLATFORM_TLS_KEY_PATH: directory.write('health.key', pair.key),
    }
    const { service, port } = await startUnderShell('', env)
    const asked = await start(health, inBuiltProject({ ...settings, ...env, PORT: String(port) })).ended
    expect(asked).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(asked.stdout)).toMatchObject({ status: /pass|warn/ })
    service.signal('SIGTERM')
    await service.ended
  })

  test('is 1 without a service, with what to start', async () => {
    const ended = await start(health, inBuiltProject({ ...settings, PORT: '1' })).ended
    const stderr = /^Start the service with "npm start".* PORT and PLATFORM_LISTEN_ADDRESS/
    expect(ended).toMatchObject({ code: 1, stdout: /ECONNREFUSED/, stderr })
  })

  const responses: Readonly<Record<string, readonly [string, (response: ServerResponse) => void]>> = {
    drips: ['No response within 5000 ms', (response) => void setInterval(() => response.write('x'), 500).unref()],
    'sends much': ['The response does not come from this service', (response) => response.write('x'.repeat(1e6))],
    'is another program': ['{"status":"ok"}', (response) => response.end('{"status":"ok"}')],
    'sends escapes': ['\\u001b[2J{"status":"pass"}', (response) => response.end('\u001b[2J{"status":"pass"}')],
  }

  test.each(Object.entries(responses))('does not wait for, keep or obey what %s', async (_what, [printed, respond]) => {
    const server = createServer((_request, response) => respond(response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const PORT = String((server.address() as AddressInfo).port)
    const { code, stdout } = await start(health, inBuiltProject({ ...settings, PORT })).ended
    server.closeAllConnections()
    server.close()
    expect([code, stdout]).toEqual([1, `${printed}\n`])
  })
})

test.skipIf(process.platform === 'win32')("no secret is in a diagnostic report of Node's", async () => {
  const NODE_OPTIONS = `--report-on-signal --report-directory=${directory.path} --report-filename=report.json`
  const { service } = await startUnderShell('', { NODE_OPTIONS, PLATFORM_CLIENT_SECRET: 'hunter2' })
  service.signal('SIGUSR2')
  const read = () => {
    try {
      return readFileSync(join(directory.path, 'report.json'), 'utf8')
    } catch {
      return ''
    }
  }
  await expect.poll(read).toContain('"sharedObjects"')
  expect(read()).not.toContain('hunter2')
})

describe.skipIf(process.platform === 'win32')('npm start', () => {
  const project = copyProject(join(directory.path, 'project'))

  test.each([
    ['SIGTERM to npm alone', 'SIGTERM', false],
    ['Ctrl-C in its terminal', 'SIGINT', true],
    ['a kill of npm alone', 'SIGKILL', false],
  ] as const)('it builds and serves, and %s leaves no process behind', async (_how, signal, group) => {
    const env = { ...offline, PORT: '0', HOME: directory.path, npm_config_update_notifier: 'false' }
    const npm = start(['start'], { command: 'npm', cwd: project, group, env })
    const [, port] = await npm.printed(/^Server running on http:\/\/localhost:(\d+)\nCloud: .*\nAuth Mode: .*\n/m)
    const pids = descendantsOf(npm.pid)
    expect(pids.length).toBeGreaterThan(0)
    expect((await fetch(`http://localhost:${port}/api/health`)).status).toBe(200)
    npm.signal(signal)
    await allGone(pids)
    await npm.ended
    expect(await isFree(Number(port))).toBe(true)
  })
})

const reference = '@Microsoft.KeyVault(SecretUri=https://v.example/secrets/k)'

/** The key in a file that is read again when it changes. */
function keyIn(content: string | Buffer): () => string {
  const path = directory.write('host-key', 'the first key')
  const { key } = readServerOptions(readSettings({ PLATFORM_HOST_KEY_PATH: path }))
  directory.write('host-key', content)
  if (typeof key !== 'object') throw new Error('The key must be read from the file')
  return key.read
}

const wide = Buffer.from('\uFEFFkey-of-the-host\r\n', 'utf16le')
const invalid = ['', '\n', 'two keys', 'two\nkeys', 'a-key\0b', Buffer.from([0x41, 0xc3, 0x28, 0xff])]

test.each<[string | Buffer, string]>([
  [reference, 'that was not replaced'],
  [wide, 'is not UTF-8 (it looks like UTF-16)'],
  ...invalid.map((each): [string | Buffer, string] => [each, 'must contain one key as text and nothing else']),
])('%j does not replace the key: %s', (content, message) => {
  expect(keyIn(content)).toThrow(message)
})

test('a key is read without the line break that editors add, and without a byte order mark', () => {
  expect(keyIn('\uFEFFkey\r\n')()).toBe('key')
})

test.each([
  ['both sources', { PLATFORM_HOST_KEY: 'k', PLATFORM_HOST_KEY_PATH: '/x' }, 'are both set'],
  ['a file that is not there', { PLATFORM_HOST_KEY_PATH: '/nowhere/key' }, 'PLATFORM_HOST_KEY_PATH names /nowhere/key'],
  ['an endless file', { PLATFORM_HOST_KEY_PATH: '/dev/zero' }, 'not a regular file'],
  ['half of a pair', { PLATFORM_TLS_KEY_PATH: '/x' }, 'PLATFORM_TLS_KEY_PATH is set without'],
])('%s is an error that names the variable', (_, env, message) => {
  const read = () => {
    const { key } = readServerOptions(readSettings(env))
    return typeof key === 'object' ? key.read() : key
  }
  expect(read).toThrow(message)
})
