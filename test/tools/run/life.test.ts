import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { useProcesses } from '../../support/processes.ts'
import { repository } from '../../support/project-copy.ts'
import { commandLine } from '../../support/start-command.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const { start, run } = useProcesses()
const temp = useTemporaryDirectory()
const node = process.execPath
let count = 0
function newFolder(): string {
  const folder = join(temp.path, `folder-${count++}-`)
  mkdirSync(folder)
  return folder
}

const folders: string[] = []

/** Starts `cloud-profile run` as the leader of a process group, as a terminal does, with a new folder for its files. */
function startRun(
  command: readonly string[],
  { options = [] as readonly string[], group = false, before = [] as readonly string[] } = {},
) {
  const TMPDIR = newFolder()
  const [program = node, ...args] = [...before, node, commandLine, 'run', ...options, '--', ...command]
  const running = start(args, { command: program, cwd: repository, env: { TMPDIR, NODE_NO_WARNINGS: '1' }, group })
  folders.push(TMPDIR)
  return { ...running, TMPDIR }
}

async function expectNothingLeft({ TMPDIR }: { readonly TMPDIR: string }): Promise<void> {
  await expect.poll(() => [processesWith(TMPDIR), readdirSync(TMPDIR)], { timeout: 30_000 }).toEqual([[], []])
}

/** The processes that have a text in their command or environment. */
function processesWith(text: string): readonly number[] {
  const has = (id: string) => {
    try {
      return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${id}/${file}`, 'latin1').includes(text))
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => Number(name) > 0 && has(name))
    .map(Number)
}

afterEach(() => {
  for (const folder of folders.splice(0)) for (const id of processesWith(folder)) process.kill(id, 'SIGKILL')
})

describe.skipIf(process.platform !== 'linux')('cloud-profile run leaves no process and no folder', () => {
  const code = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGKILL: null } as const
  const idle = [node, '-e', 'console.log(process.pid);setInterval(()=>{},1e6)']
  const cases = (['process', 'group', 'program'] as const).flatMap((to) =>
    (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const).map((signal) => [signal, to] as const),
  )

  test.each(cases)('after %s to the %s', async (signal, to) => {
    const running = startRun(idle, { group: true, options: to === 'process' ? ['--enclave'] : [] })
    const [, program] = await running.printed(/(\d+)\n/)
    if (to === 'group') running.signal(signal)
    else process.kill(to === 'process' ? running.pid : Number(program), signal)
    const expected = to === 'program' && signal === 'SIGKILL' ? 137 : code[signal]
    expect((await running.ended).code).toBe(expected)
    await expectNothingLeft(running)
  })

  test('if its folder cannot be removed because a process that the program left behind writes there', async () => {
    // Stands in for that process, whose writes would meet the removal by chance only.
    const late = `require('node:fs').rmSync = (path) => { throw Object.assign(new Error(path), { code: 'ENOTEMPTY' }) }`
    const preload = `NODE_OPTIONS=--require=${temp.write('late.cjs', late)}`
    const running = startRun(['sh', '-c', 'exit 3'], { before: ['env', preload] })
    expect(await running.ended).toMatchObject({ code: 3, stderr: '' })
    await expectNothingLeft(running)
  })

  test.each(['process', 'group'])('after SIGTERM to the %s while its enclave starts', async (to) => {
    const running = startRun(['sleep', '300'], { group: to === 'group', options: ['--enclave'] })
    await expect.poll(() => readdirSync(running.TMPDIR), { interval: 5, timeout: 30_000 }).not.toEqual([])
    running.signal('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 143, signal: null })
    await expectNothingLeft(running)
  })

  test('after the end of timeout, which has the exit code of timeout', async () => {
    const running = startRun(['sleep', '300'], { before: ['timeout', '2'] })
    expect((await running.ended).code).toBe(124)
    await expectNothingLeft(running)
  })
})

describe.skipIf(process.platform === 'win32')('the program', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const)('gets %s to the process alone', async (signal) => {
    const program = `process.on('${signal}',()=>{console.log('got');process.exit(5)});console.log('ready');setInterval(()=>{},1e6)`
    const running = startRun([node, '-e', program])
    await running.printed(/ready\n/)
    running.signal(signal)
    expect(await running.ended).toMatchObject({ code: 5, stdout: 'ready\ngot\n' })
  })

  test('gets a signal to the whole group once, and each time', async () => {
    const program = `let n=0;process.on('SIGINT',()=>{console.log(++n)});console.log('ready');setTimeout(()=>process.exit(0),4000)`
    const running = startRun([node, '-e', program], { group: true })
    await running.printed(/ready\n/)
    await delay(500)
    running.signal('SIGINT')
    await delay(1500)
    running.signal('SIGINT')
    expect((await running.ended).stdout).toBe('ready\n1\n2\n')
  })

  test('does not hold the run by a process that it leaves behind', async () => {
    const command = ['sh', '-c', 'sleep 300 </dev/null >/dev/null 2>&1 & echo $!; exit 3']
    const { code, stdout } = await startRun(command).ended
    process.kill(Number(stdout), 'SIGKILL')
    expect(code).toBe(3)
  })
})

describe.skipIf(process.platform === 'win32')('a step that fails ends the command with one message', () => {
  type Step = { args?: string[]; env?: NodeJS.ProcessEnv; command?: string[]; before?: string; code?: number }
  const full = { before: 'ulimit -f 0; ' }
  const certificate = { env: { AUTH_MODE: 'clientCertificate' }, ...full }
  const gone = (exit: number) => {
    const folder = newFolder()
    const command = ['sh', '-c', `rmdir ${folder}; exit ${exit}`]
    return { args: ['--report-file', `${folder}/r`], command, code: exit === 0 ? 2 : exit }
  }

  test.each<[what: string, message: RegExp, step: () => Step]>([
    ['a CA file is missing', /^SSL_CERT_FILE must/, () => ({ env: { SSL_CERT_FILE: '/none' } })],
    ['a proxy is a SOCKS proxy', /^HTTPS_PROXY must/, () => ({ env: { HTTPS_PROXY: 'socks5://a' } })],
    ['a list of clouds is missing', /PLATFORM_KNOWN_CLOUDS/, () => ({ env: { PLATFORM_KNOWN_CLOUDS: '/none' } })],
    ['TMPDIR is missing', /^TMPDIR must .*ENOENT/, () => ({ env: { TMPDIR: '/none' } })],
    ['TMPDIR is full', /^TMPDIR must .*EFBIG/, () => full],
    ['TMPDIR is full, for the files of a credential', /cannot be written to .*EFBIG/, () => certificate],
    ['the seed is missing', /\/none/, () => ({ args: ['--seed', '/none'] })],
    ['azurite is not installed', /^azurite /, () => ({ args: ['--azurite'], env: { PATH: '/usr/bin:/bin' } })],
    ['the folder of the report has gone', /\/r" cannot be written: no such file/, () => gone(0)],
    [
      'the folder of the report has gone, and the program failed',
      /\/r" cannot be written: no such file/,
      () => gone(7),
    ],
  ])('run, if %s', async (_what, message, step) => {
    const { args = [], env, command = ['true'], before = '', code = 2 } = step()
    const TMPDIR = newFolder()
    const simulated = ['--enclave', '--cloud', 'platform-us-government']
    const line = [node, commandLine, 'run', ...simulated, ...args, '--', ...command]
    const ended = await run(['-c', `${before}exec "$@"`, 'sh', ...line], {
      command: '/bin/bash',
      cwd: repository,
      env: { TMPDIR, ...env },
      timeoutMs: 60_000,
    })
    expect(ended).toMatchObject({ code, signal: null, stdout: '', stderr: message })
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test('enclave, if a value cannot be expressed in the shell', async () => {
    const TMPDIR = join(temp.path, 'with"quote')
    mkdirSync(TMPDIR)
    const options = { cwd: repository, env: { TMPDIR }, timeoutMs: 60_000 }
    const ended = await run([commandLine, 'enclave', '--shell', 'cmd'], options)
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: /Choose --shell posix/ })
    expect(readdirSync(TMPDIR)).toEqual([])
  })
})
