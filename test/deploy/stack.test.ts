import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/functions/app.ts'
import { createService } from '../../src/lib/service/service.ts'
import { installNode } from '../support/install-node.ts'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useEnclave } from '../support/use-enclave.ts'

describe('web.config', () => {
  const config = readFileSync(join(repository, 'deploy/stack/web.config'), 'utf8')
  const elements = [...config.replaceAll(/<!--[^]*?-->/g, '').matchAll(/<([\w.]+)((?:\s+[\w.]+="[^"]*")*)\s*\/?>/g)]
  const attributesOf = (element: string): Record<string, string> => {
    const [, , attributes = ''] = elements.find(([, name]) => name === element) ?? []
    return Object.fromEntries([...attributes.matchAll(/([\w.]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  }

  test('every route reaches the server, and so does every file beside it', () => {
    const env = { AUTH_MODE: 'clientSecret' }
    const routes = createApp(createService(env)).functions.map(({ path }) => path.replace(/^\{.*\}$/, ''))
    expect(routes).toEqual(expect.arrayContaining(['', 'api/health']))
    // IIS matches the path without its first slash.
    const pattern = new RegExp(attributesOf('match')['url'] ?? '')
    for (const path of [...routes, 'admin/host/ping', 'stack.json', 'web.config', 'package.json', 'dist/cli/x.cjs']) {
      expect([path, pattern.test(path)]).toEqual([path, true])
    }
    expect(attributesOf('rule')).toMatchObject({ stopProcessing: 'true' })
  })

  test('no error of the server is changed or shown by iisnode, which starts one process', () => {
    expect(attributesOf('httpErrors')).toEqual({ existingResponse: 'PassThrough' })
    const iisnode = { debuggingEnabled: 'false', devErrorsEnabled: 'false', nodeProcessCountPerApplication: '1' }
    expect(attributesOf('iisnode')).toMatchObject(iisnode)
  })
})

/** The newest Node that the workers of App Service 25R1 have. test/release/node-versions.test.ts runs the oldest one. */
const version = '22.14.0'

/** Stands for the file that iisnode starts: leaves the arguments, replaces the streams, whose descriptors are NUL, and requires the entry. */
const interceptor = `const { appendFileSync } = require('node:fs')
process.argv.splice(1, 1)
for (const stream of [process.stdout, process.stderr]) {
  stream.write = stream.end = (data) => appendFileSync(process.env.LOG_FILE, String(data))
}
require(process.argv[1])
`

const node = installNode(version)

describe.skipIf(node === undefined)(`The zip of the release, in an empty folder, with Node ${version}`, () => {
  const temp = useTemporaryDirectory()
  const enclave = useEnclave({ federationService: true })
  const key = 'k'.repeat(32)
  const socketPath = join(temp.path, 'pipe')
  const app = join(temp.path, 'wwwroot')
  const { run, start } = useProcesses()

  beforeAll(async () => {
    const release = join(repository, 'dist/release')
    const zip = readdirSync(release).find((name) => name.endsWith('-stack.zip')) ?? ''
    for (const [path, content] of Object.entries(unzipSync(readFileSync(join(release, zip)))))
      temp.write(`wwwroot/${path}`, content)
    temp.write('wwwroot/ca.pem', enclave.cloud.ca.certificatePem)
    const options = { command: String(node), cwd: app, env: { NODE_EXTRA_CA_CERTS: 'ca.pem' } }
    const discover = ['discover', enclave.cloud.resourceManagerEndpoint, '--output', 'stack.json']
    await run(['dist/cli/cloud-profile.cjs', ...discover], options)
    const env = {
      ...enclave.cloud.environment('clientSecret', enclave.files),
      ...options.env,
      PORT: socketPath,
      LOG_FILE: join(temp.path, 'log'),
      CUSTOM_CLOUD_PROFILE_PATH: 'stack.json',
      PLATFORM_HOST_KEY: key,
      WEBSITE_INSTANCE_ID: 'instance',
    }
    const { ended } = start([temp.write('interceptor.js', interceptor), join(app, 'server.js')], { ...options, env })
    const listening = vi.waitUntil(() => existsSync(socketPath), { timeout: 200_000 })
    await Promise.race([listening, ended])
  })

  const ask = (path: string) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const headers = { host: 'app.appservice.region.fqdn', 'x-functions-key': key }
      get({ socketPath, path, headers, agent: false }, (response) => {
        void text(response).then((body) => resolve({ status: response.statusCode, body }), reject)
      }).once('error', reject)
    })

  test('uses the profile that discover drafts, gets a token from the federation service, and writes its log', async () => {
    const drafted = JSON.parse(readFileSync(join(app, 'stack.json'), 'utf8')) as object
    expect(drafted).toMatchObject({ environment: 'platformstackcloud' })
    const report = await ask('/api/diagnostics')
    expect([report.status, JSON.parse(report.body)]).toMatchObject([200, { token: { status: 'acquired' } }])
    expect(await ask('/')).toEqual({ status: 200, body: /<!doctype html>/ })
    expect(readFileSync(join(temp.path, 'log'), 'utf8')).toContain('"event":"token"')
  })
})
