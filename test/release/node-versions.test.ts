import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { issueCertificate } from '../support/issue-certificate.ts'
import { offline } from '../support/environment.ts'
import { installNode } from '../support/install-node.ts'
import { useProcesses } from '../support/processes.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useEnclave } from '../support/use-enclave.ts'

/** The oldest Node that the service accepts, and one that is too old. test/deploy/stack.test.ts runs the Node of App Service on a stack. */
const [oldest, tooOld] = ['22.1.0', '22.0.0'] as const

const [node, oldNode] = [oldest, tooOld].map(installNode)

const temp = useTemporaryDirectory()
const enclave = useEnclave()
const { start, run } = useProcesses()
const command = join(temp.path, 'profile/package/dist/cli/cloud-profile.cjs')
const bundle = join(temp.path, 'functions/dist/main.cjs')

beforeAll(() => {
  const release = join(inject('releases').clones[0], 'dist/release')
  const find = (end: RegExp) => join(release, readdirSync(release).find((name) => end.test(name)) ?? '')
  for (const name of ['profile', 'service', 'enclave']) {
    const folder = join(temp.path, name)
    mkdirSync(folder)
    execFileSync('tar', ['xzf', find(new RegExp(String.raw`${name}-[\d.]+\.tgz$`)), '-C', folder])
  }
  for (const [path, content] of Object.entries(unzipSync(readFileSync(find(/-functions\.zip$/)))))
    temp.write(join('functions', path), content)
})

describe.skipIf(node === undefined)(`The release under Node ${oldest}`, () => {
  test('serves https, says so to health, and signs in with a certificate', async () => {
    const { certificate, key } = await issueCertificate('localhost')
    const env = {
      ...enclave.cloud.environment('clientCertificate', enclave.files),
      PORT: '0',
      PLATFORM_TLS_CERTIFICATE_PATH: temp.write('tls.crt', certificate),
      PLATFORM_TLS_KEY_PATH: temp.write('tls.key', key),
    }
    const server = start([command, 'serve'], { command: node ?? '', env })
    const [, port = ''] = await server.printed(/^Server running on https:\S+:(\d+)$/m)
    const health = await run([command, 'health'], { command: node ?? '', env: { ...env, PORT: port } })
    expect(health).toMatchObject({ code: 0, stderr: '' })
    const asked = await run([command, 'smoke-test', '--check-token'], { command: node ?? '', env })
    expect(asked).toMatchObject({ code: 0, stdout: /token/ })
    server.signal('SIGTERM')
    expect((await server.ended).code).toBe(0)
  })

  test('tests an application against the enclave in a child process, as docs/testing.md says', async () => {
    const library = JSON.stringify(join(temp.path, 'service/package/dist/lib/index.js'))
    const testing = JSON.stringify(join(temp.path, 'enclave/package/index.js'))
    const application = `import { resolveCloud } from ${library}
const { credential, resourceManager } = await resolveCloud()
console.log((await credential.getToken(resourceManager.scope)).token.split('.').length)`
    const program = `import { execFile } from 'node:child_process'
import { startEnclave } from ${testing}
await startEnclave().catch((error) => console.log(error.message))
const enclave = await startEnclave({ trust: false })
const args = ['--input-type=module', '-e', ${JSON.stringify(application)}]
execFile(process.execPath, args, { env: { ...enclave.environment } }, (error, stdout, stderr) => {
  console.log(stdout + stderr)
  void enclave.close()
})`
    const ended = await run(['--input-type=module', '-e', program], { command: node ?? '', env: offline })
    expect(ended).toMatchObject({ code: 0, stdout: /^trust needs Node 22\.19 .*: pass trust: false.*\n3\n/s })
  })

  test('loads the bundle of Azure Functions', async () => {
    expect(await run([bundle], { command: node ?? '', env: offline })).toMatchObject({ code: 0 })
  })
})

test.skipIf(oldNode === undefined).each([
  ['the server', [command, 'serve']],
  ['the bundle of Azure Functions', [bundle]],
])(`Node ${tooOld} is refused by name by %s`, async (_what, args) => {
  const { code, stdout, stderr } = await run(args, { command: oldNode ?? '', env: offline })
  expect(code).toBeGreaterThan(0)
  expect(stdout + stderr).toContain(`Node ${tooOld} is too old: Node 22.1 or later is needed`)
})
