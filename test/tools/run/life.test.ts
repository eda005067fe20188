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

/** Starts `cloud-profile run` as the leader of a process group, as a terminal does, with a new folder for its files. */
function startRun(
  command: readonly string[],
  { options = [] as readonly string[], group = false, before = [] as readonly string[] } = {},
) {
  const TMPDIR = join(temp.path, `tmp-${count++}-`)
  mkdirSync(TMPDIR)
  const [program = node, ...args] = [...before, node, commandLine, 'run', ...options, '--', ...command]
  const running = start(args, { command: program, cwd: repository, env: { TMPDIR, NODE_NO_WARNINGS: '1' }, group })
  return { ...running, TMPDIR }
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

const folders: string[] = []
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
    folders.push(running.TMPDIR)
    const [, program] = await running.printed(/(\d+)\n/)
    if (to === 'group') running.signal(signal)
    else process.kill(to === 'process' ? running.pid : Number(program), signal)
    const expected = to === 'program' && signal === 'SIGKILL' ? 137 : code[signal]
    expect((await running.ended).code).toBe(expected)
    await expect
      .poll(() => [processesWith(running.TMPDIR), readdirSync(running.TMPDIR)], { timeout: 30_000 })
      .toEqual([[], []])
  })

  test.each(['process', 'group'])('after SIGTERM to the %s while its enclave starts', async (to) => {
    const running = startRun(['sleep', '300'], { group: to === 'group', options: ['--enclave'] })
    folders.push(running.TMPDIR)
    await expect.poll(() => readdirSync(running.TMPDIR), { interval: 5, timeout: 30_000 }).not.toEqual([])
    running.signal('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 143, signal: null })
    await expect
      .poll(() => [processesWith(running.TMPDIR), readdirSync(running.TMPDIR)], { timeout: 30_000 })
      .toEqual([[], []])
  })

  test('after the end of timeout, which has the exit code of timeout', async () => {
    const running = startRun(['sleep', '300'], { before: ['timeout', '2'] })
    folders.push(running.TMPDIR)
    expect((await running.ended).code).toBe(124)
    await expect
      .poll(() => [processesWith(running.TMPDIR), readdirSync(running.TMPDIR)], { timeout: 30_000 })
      .toEqual([[], []])
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
  const report = () => join(temp.path, `report-${count++}`)
  const simulated = ['--enclave', '--cloud', 'platform-us-government']
  interface Step {
    readonly args: readonly string[]
    readonly env?: NodeJS.ProcessEnv
    readonly command?: readonly string[]
    readonly before?: string
    readonly code?: number
    readonly message: RegExp
  }
  const steps: Readonly<Record<string, () => Step>> = {
    'a CA file is missing': () => ({
      args: simulated,
      env: { SSL_CERT_FILE: '/none' },
      message: /^SSL_CERT_FILE must/,
    }),
    'a proxy is a SOCKS proxy': () => ({
      args: simulated,
      env: { HTTPS_PROXY: 'socks5://a' },
      message: /^HTTPS_PROXY must/,
    }),
    'a list of clouds is missing': () => ({
      args: simulated,
      env: { PLATFORM_KNOWN_CLOUDS: '/none' },
      message: /PLATFORM_KNOWN_CLOUDS/,
    }),
    'TMPDIR is missing': () => ({ args: simulated, env: { TMPDIR: '/none' }, message: /^TMPDIR must .*ENOENT/ }),
    'TMPDIR is full': () => ({ args: simulated, before: 'ulimit -f 0; ', message: /^TMPDIR must .*EFBIG/ }),
    'TMPDIR is full, for the files of a credential': () => ({
      args: simulated,
      env: { AUTH_MODE: 'clientCertificate' },
      before: 'ulimit -f 0; ',
      message: /cannot be written to .*EFBIG/,
    }),
    'AUTH_MODE is unknown': () => ({ args: simulated, env: { AUTH_MODE: 'none' }, message: /^AUTH_MODE must/ }),
    'the seed is missing': () => ({ args: [...simulated, '--seed', '/none'], message: /\/none/ }),
    'azurite is not installed': () => ({
      args: [...simulated, '--azurite'],
      env: { PATH: '/usr/bin:/bin' },
      message: /^azurite /,
    }),
    'the program does not exist': () => ({
      args: simulated,
      command: ['no-such'],
      code: 127,
      message: /command not found/,
    }),
    'the folder of the report has gone': () => {
      const folder = report()
      mkdirSync(folder)
      return {
        args: [...simulated, '--report-file', `${folder}/r`],
        command: ['rmdir', folder],
        message: /\/r" cannot be written: its folder/,
      }
    },
    'the folder of the report has gone, and the program failed': () => {
      const folder = report()
      mkdirSync(folder)
      const command = ['sh', '-c', `rmdir ${folder}; exit 7`]
      return {
        args: [...simulated, '--report-file', `${folder}/r`],
        command,
        code: 7,
        message: /\/r" cannot be written: its folder/,
      }
    },
  }

  test.each(Object.entries(steps))('run, if %s', async (_name, step) => {
    const { args, env, command = ['true'], before = '', code = 2, message } = step()
    const TMPDIR = join(temp.path, `step-${count++}-`)
    mkdirSync(TMPDIR)
    const line = [node, commandLine, 'run', ...args, '--', ...command]
    const ended = await run(['-c', `${before}exec "$@"`, 'sh', ...line], {
      command: '/bin/bash',
      cwd: repository,
      env: { TMPDIR, ...env },
      timeoutMs: 60_000,
    })
    expect(ended).toMatchObject({ code, signal: null, stdout: '' })
    expect(ended.stderr).toMatch(message)
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test('enclave, if a value cannot be expressed in the shell', async () => {
    const TMPDIR = join(temp.path, 'with"quote')
    mkdirSync(TMPDIR)
    const ended = await run([commandLine, 'enclave', '--shell', 'cmd'], {
      cwd: repository,
      env: { TMPDIR },
      timeoutMs: 60_000,
    })
    expect(ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Choose --shell posix') as string,
    })
    expect(readdirSync(TMPDIR)).toEqual([])
  })
})
