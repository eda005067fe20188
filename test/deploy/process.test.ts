import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueCertificate } from '../support/issue-certificate.ts'
import { repository } from '../support/project-copy.ts'
import { findTool, runTool } from './tools.ts'

const unshare = findTool('unshare', 'Install util-linux.')
const setpriv = findTool('setpriv', 'Install util-linux.')
/** A file system that nothing can be written to, for the rest of the arguments. */
const readOnly = [
  '-m',
  'sh',
  '-c',
  'mount --make-rprivate / && mount --bind / / && mount -o remount,ro,bind / && exec "$@"',
  '-',
]
const canMount = unshare !== undefined && runTool(unshare, [...readOnly, 'true']).code === 0
if (!canMount) process.stderr.write('SKIPPED: a separate read-only file system needs root.\n')

const scratch = mkdtempSync(join(tmpdir(), 'process-'))
const command = join(scratch, 'package/dist/cli/cloud-profile.cjs')
const node = join(scratch, 'node')

beforeAll(() => {
  // For any user to read.
  chmodSync(scratch, 0o755)
  cpSync(join(repository, 'node_modules/node/bin/node'), node)
  runTool('tar', ['xzf', join(repository, 'dist/release/cloud-profile-service-1.0.0.tgz'), '-C', scratch])
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe.skipIf(!canMount || setpriv === undefined)('The packed command', () => {
  test('serves https with a read-only file system, as a user that nobody knows, without HOME and with 64 descriptors', async () => {
    const pair = await issueCertificate('localhost')
    const secrets = join(scratch, 'secrets')
    mkdirSync(secrets)
    for (const [name, text] of Object.entries({
      'tls.crt': pair.certificate,
      'tls.key': pair.key,
      'host-key': 'key-of-the-host',
    })) {
      writeFileSync(join(secrets, name), text)
      chmodSync(join(secrets, name), 0o644)
    }
    const identity = [setpriv ?? '', '--reuid', '987654', '--regid', '987654', '--clear-groups', '--no-new-privs']
    const limited = ['sh', '-c', 'ulimit -n 64 && ! touch /tmp/written 2>/dev/null && exec "$@"', '-', node, command]
    const service = spawn(unshare ?? '', [...readOnly, ...identity, ...limited, 'serve'], {
      cwd: '/',
      env: {
        PATH: '/usr/bin:/bin',
        PORT: '0',
        PLATFORM_CLOUD: 'platform-us-gov-secret',
        PLATFORM_HOST_KEY_PATH: join(secrets, 'host-key'),
        PLATFORM_TLS_CERTIFICATE_PATH: join(secrets, 'tls.crt'),
        PLATFORM_TLS_KEY_PATH: join(secrets, 'tls.key'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      let output = ''
      for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
      await expect.poll(() => output).toContain('Auth Mode: ')
      const port = Number(/^Server running on https:\/\/localhost:(\d+)$/m.exec(output)?.[1])
      const headers = { 'x-functions-key': 'key-of-the-host' }
      const ask = (path: string) =>
        new Promise((resolve, reject) => {
          request({ port, host: 'localhost', path, ca: pair.certificate, headers, agent: false }, (response) => {
            response.resume().once('end', () => resolve(response.statusCode))
          })
            .once('error', reject)
            .end()
        })
      const paths = ['/', '/api/profile', '/api/diagnostics', '/api/health', '/api/metrics', '/admin/host/ping']
      expect(await Promise.all(paths.map(ask))).toEqual(paths.map(() => 200))
      const ended = once(service, 'exit')
      service.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      service.kill('SIGKILL')
    }
  })
})
