import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repository } from '../support/project-copy.ts'
import { findTool, runTool } from './tools.ts'

const tools = ['unshare', 'setpriv', 'prlimit', 'taskset'].map((name) => findTool(name, 'Install util-linux.'))
const scratch = mkdtempSync(join(tmpdir(), 'limits-'))
const command = join(scratch, 'package/dist/cli/cloud-profile.cjs')
const node = join(scratch, 'node')
const full = join(scratch, 'full')
const serve = [node, command, 'serve']
const environment = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  PORT: '0',
  TMPDIR: full,
  PLATFORM_CLOUD: 'platform-us-gov-secret',
}
const page = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const small = makeMemoryGroup()
const canMount =
  !tools.includes(undefined) && runTool('unshare', ['-m', 'sh', '-c', 'mount --make-rprivate /']).code === 0
if (!canMount || small === undefined)
  process.stderr.write('SKIPPED: limits of memory and mounts need root and a memory cgroup.\n')

beforeAll(() => {
  // For any user to read.
  chmodSync(scratch, 0o755)
  mkdirSync(full)
  cpSync(join(repository, 'node_modules/node/bin/node'), node)
  runTool('tar', ['xzf', join(repository, 'dist/release/cloud-profile-2.0.0.tgz'), '-C', scratch])
})
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
  if (small !== undefined) rmdirSync(small)
})

describe.skipIf(!canMount || small === undefined)(
  'With 64 descriptors, 128 MB, one core, a full disk and a read-only root, as user 65532',
  () => {
    test.each(['a pipe', 'a full disk'])('the server answers, outlives a flood, its log on %s', async (log) => {
      const service = startLimited(log === 'a full disk' ? `2>${full}/log` : '')
      const opened: Flood = new Set()
      try {
        let stdout = ''
        let stderr = ''
        service.stdout?.on('data', (chunk) => (stdout += String(chunk)))
        service.stderr?.on('data', (chunk) => (stderr += String(chunk)))
        await expect.poll(() => stdout).toContain('Auth Mode: ')
        const url = `http://127.0.0.1:${/localhost:(\d+)/.exec(stdout)?.[1]}`
        const ask = async (path: string) => {
          const answer = await fetch(url + path, { headers: { connection: 'close' } })
          return { status: answer.status, text: await answer.text() }
        }
        const paths = [
          '/',
          '/api/profile',
          '/api/diagnostics',
          '/api/health',
          '/api/health?ready',
          '/api/metrics',
          '/admin/host/ping',
        ]
        for (const path of paths) expect([path, (await ask(path)).status]).toEqual([path, 200])

        const { port } = new URL(url)
        for (let index = 0; index < 40; index++) flood(Number(port), opened, () => '')
        for (let index = 0; index < 100; index++) flood(Number(port), opened, () => randomBytes(64 * 1024))
        for (let index = 0; index < 40; index++) flood(Number(port), opened, () => page.repeat(60))
        // A flood may take every place; a reverse proxy keeps it away. The server must outlive it.
        await new Promise((resolve) => setTimeout(resolve, 3000))
        stopFlood(opened)
        for (let turn = 0; turn < 10; turn++) {
          expect((await ask('/admin/host/ping')).status).toBe(200)
          expect((await ask('/')).text).toContain('</html>')
          const { status, text } = await ask('/api/health')
          expect([status, (JSON.parse(text) as { status: string }).status]).toEqual([200, 'warn'])
        }
        for (const line of stderr.trim().split('\n').filter(Boolean)) {
          expect(JSON.parse(line)).toMatchObject({
            time: expect.any(String),
            level: expect.any(String),
            event: expect.any(String),
          })
        }
        const ended = once(service, 'exit')
        service.kill('SIGTERM')
        expect(await ended).toEqual([0, null])
      } finally {
        stopFlood(opened)
        service.kill('SIGKILL')
      }
    })
  },
)

/** `unshare` and the shell are replaced one after the other, so that this is the process of the server. */
function startLimited(redirection: string): ChildProcess {
  const setUp = `set -e
    echo $$ > ${small}/cgroup.procs
    mount --make-rprivate /
    mount -t tmpfs -o size=8k,mode=777 none ${full}
    touch ${full}/log && chmod 666 ${full}/log
    if head -c 20000 /dev/zero 2>/dev/null > ${full}/fill; then exit 9; fi
    mount --bind / / && mount -o remount,ro,bind /
    if touch ${scratch}/written 2>/dev/null; then exit 9; fi
    cd ${full}
    exec prlimit --nofile=64 taskset -c 0 setpriv --reuid 65532 --regid 65532 --clear-groups --no-new-privs "$@" ${redirection}`
  return spawn('unshare', ['-m', 'sh', '-c', setUp, '-', ...serve], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The connections of a flood. One that waits to come back would go on with it after its end. */
interface Flood extends Set<Socket> {
  isOver?: true
}

/** Opens a connection from another address than that of the probes, and again whenever the server closes it. */
function flood(port: number, opened: Flood, bytes: () => string | Buffer): void {
  if (opened.isOver) return
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  opened.add(socket)
  socket.on('error', () => undefined)
  socket.once('connect', () => socket.write(bytes()))
  socket.once('close', () => {
    if (opened.delete(socket)) setTimeout(() => flood(port, opened, bytes), 50).unref()
  })
  // Who reads nothing does not see the end either; what is no request is answered, and comes again.
  if (typeof bytes() === 'string') socket.pause()
  else socket.resume()
}

function stopFlood(opened: Flood): void {
  opened.isOver = true
  for (const socket of opened) {
    opened.delete(socket)
    socket.destroy()
  }
}

/** A cgroup with 128 MB, half of what the examples in deploy/ have, of either version. @returns Its folder; `undefined` where none can be made. */
function makeMemoryGroup(): string | undefined {
  const isFirst = existsSync('/sys/fs/cgroup/memory')
  const folder = join('/sys/fs/cgroup', isFirst ? 'memory' : '', `cloud-profile-${process.pid}`)
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, isFirst ? 'memory.limit_in_bytes' : 'memory.max'), String(128 * 1024 * 1024))
    return folder
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
}
