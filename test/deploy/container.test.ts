import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repository } from '../support/project-copy.ts'
import { findTool, runTool } from './tools.ts'

const buildah = findTool('buildah', 'Install buildah of Debian (.ci/deploy-tools does).')
const isRoot = process.getuid?.() === 0
if (!isRoot) process.stderr.write('SKIPPED: building images here needs to be root.\n')

const scratch = mkdtempSync(join(tmpdir(), 'container-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const storage = ['--root', join(scratch, 'storage'), '--runroot', join(scratch, 'run'), '--storage-driver', 'vfs']
const key = 'a-key-of-the-host'

function run(...args: readonly string[]): string {
  const { code, stdout, stderr } = runTool(buildah ?? '', [...storage, ...args])
  if (code !== 0) throw new Error(`buildah ${args.join(' ')}:\n${stderr}`)
  return stdout.trim()
}

/** An image with Node and the libraries that it is linked with, and nothing else: no shell, no package manager. */
function buildBase(): string {
  const root = join(scratch, 'base')
  const node = join(repository, 'node_modules/node/bin/node')
  const libraries = runTool('ldd', [node]).stdout.match(/\/\S+/g) ?? []
  for (const [from, to] of [
    [node, '/usr/local/bin/node'] as const,
    ...libraries.map((path) => [path, path] as const),
  ]) {
    mkdirSync(join(root, dirname(to)), { recursive: true })
    copyFileSync(from, join(root, to))
  }
  writeFileSync(join(scratch, 'Base'), 'FROM scratch\nCOPY base/ /\nENV PATH=/usr/local/bin\n')
  run('bud', '--isolation', 'chroot', '--tag', 'localhost/node', '--file', join(scratch, 'Base'), scratch)
  return 'localhost/node'
}

describe.skipIf(buildah === undefined || !isRoot)('The image', () => {
  let container = ''

  beforeAll(() => {
    const dockerfile = join(repository, 'deploy/container/Dockerfile')
    const args = ['--build-arg', `BASE=${buildBase()}`, '--build-arg', 'REVISION=abc']
    const release = join(repository, 'dist/release')
    // The format that keeps HEALTHCHECK.
    const options = ['--isolation', 'chroot', '--format', 'docker', '--tag', 'localhost/cloud-profile', ...args]
    run('bud', ...options, '--file', dockerfile, release)
    container = run('from', 'localhost/cloud-profile')
  })

  test('runs as nobody, says what it is, and checks itself by its own command', () => {
    const { Docker } = JSON.parse(run('inspect', '--type', 'image', 'localhost/cloud-profile')) as {
      Docker: { config: Record<string, unknown> }
    }
    expect(Docker.config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['node', 'dist/cli/cloud-profile.cjs'],
      Cmd: ['serve'],
      StopSignal: 'SIGTERM',
      Healthcheck: { Test: ['CMD', 'node', 'dist/cli/cloud-profile.cjs', 'health'] },
    })
    expect(Docker.config['Labels']).toMatchObject({
      'org.opencontainers.image.title': 'cloud-profile-service',
      'org.opencontainers.image.version': '2.0.0',
      'org.opencontainers.image.revision': 'abc',
    })
  })

  test('runs no command while it is built', () => {
    const text = readFileSync(join(repository, 'deploy/container/Dockerfile'), 'utf8')
    expect(text).not.toMatch(/^\s*(RUN|ONBUILD)\b/im)
  })

  test('serves, passes its health check, requires its key, and stops at SIGTERM', async () => {
    const inside = (port: string, command: string) => {
      const settings = { PORT: port, PLATFORM_HOST_KEY: key, PLATFORM_CLOUD: 'platform-us-gov-secret' }
      const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
      const isolated = [...storage, 'run', '--isolation', 'chroot', ...env, container]
      return [...isolated, '--', 'node', 'dist/cli/cloud-profile.cjs', command]
    }
    // Its own group, so that a failed test can end all of it.
    const service = spawn(buildah ?? '', inside('0', 'serve'), { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    try {
      let output = ''
      for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
      await expect.poll(() => output).toContain('Auth Mode: ')
      const port = /^Server running on http:\/\/(?:\[::\]|0\.0\.0\.0):(\d+)$/m.exec(output)?.[1] ?? ''

      const health = runTool(buildah ?? '', inside(port, 'health'))
      expect([health.code, JSON.parse(health.stdout)]).toEqual([0, expect.objectContaining({ status: 'warn' })])
      const url = `http://127.0.0.1:${port}`
      expect((await fetch(url)).status).toBe(401)
      const page = await fetch(url, { headers: { 'x-functions-key': key } })
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<svg')])

      process.kill(findServer(service.pid ?? 0), 'SIGTERM')
      await expect.poll(() => service.exitCode).toBe(0)
    } finally {
      if (service.exitCode === null) process.kill(-(service.pid ?? 0), 'SIGKILL')
    }
  })
})

/** The Node at the end of a chain of processes that each started the next. */
function findServer(pid: number): number {
  if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/usr/local/bin/node')) return pid
  // Each thread has child processes.
  const threads = readdirSync(`/proc/${pid}/task`)
  const children = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')).join('')
  if (children.trim() === '') throw new Error('There is no server')
  return findServer(Number.parseInt(children, 10))
}
