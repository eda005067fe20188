import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { occupyPort } from '../support/free-port.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useEmulators } from '../support/use-emulators.ts'
import { findTool } from './tools.ts'

const nginx = findTool('nginx', 'Install nginx-light.')
const directory = useTemporaryDirectory()
const { start } = useEmulators()
const path = join(directory.path, 'socket')
const key = 'key-behind-the-proxy'

const code = `
app.get('slow', { authLevel: 'anonymous', handler: (_, context) => new Promise((resolve) => { context.log('slow'); setTimeout(() => resolve({ body: 'whole' }), 1500) }) })
`

const configuration = (port: number) => `
daemon off; master_process off; pid ${directory.path}/nginx.pid; error_log stderr;
events { worker_connections 1024; }
http {
  access_log off; client_max_body_size 0; large_client_header_buffers 4 32k;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory.path}/${name};`).join(' ')}
  upstream service { server unix:${path}; keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
    }
  }
}`

interface Answer {
  readonly status: number
  readonly body: string
}

describe.skipIf(nginx === undefined)('Behind nginx, over a Unix socket, the server', () => {
  let port = 0
  let host: Awaited<ReturnType<typeof start>> | undefined
  let proxy: ReturnType<typeof spawn> | undefined

  const ask = (path: string) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { host: 'profile.enclave.test' }
      get({ port, path, headers, agent: false }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body }))
      }).once('error', reject)
    })

  beforeAll(async () => {
    const free = await occupyPort()
    port = free.port
    free.close()
    mkdirSync(join(directory.path, 'proxy'))
    writeFileSync(join(directory.path, 'nginx.conf'), configuration(port))
    proxy = spawn(nginx ?? '', ['-c', join(directory.path, 'nginx.conf'), '-p', directory.path], { stdio: 'ignore' })
    // Without the server it answers, with 502.
    await vi.waitFor(() => ask('/'), { timeout: 200_000 })
  })
  afterAll(async () => {
    if (proxy === undefined || proxy.exitCode !== null) return
    proxy.kill('SIGQUIT')
    await once(proxy, 'exit')
  })

  // A test that fails must not leave its socket to the next one.
  afterEach(() => host?.close())

  test('serves two hundred clients of the one proxy at a time', async () => {
    host = await start({ port: path, key, code })
    const answers = await Promise.all(Array.from({ length: 200 }, async () => ask('/api/slow')))
    expect(answers.filter(({ status, body }) => status === 200 && body === 'whole')).toHaveLength(200)
    await host.close()
  })
})
