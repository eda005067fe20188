import { execFile } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import type { azCloud } from '../../../src/lib/profile/az-cloud.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { missing } from '../../support/missing.ts'
import { enclave as privateCloud, government, stack } from '../../support/sample-profiles.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { useEnclave } from '../../support/use-enclave.ts'

// The programs themselves read our texts. `.ci/deploy-tools` installs the ones of PyPI.

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../..', import.meta.url))
const pythonFolder = join(repository, '.tools/azure/bin')
const withoutPython = existsSync(pythonFolder) ? '' : ' [skipped: run .ci/deploy-tools first]'
const render = (format: string, profile: CloudProfile) => exportFormats[format]?.render(profile) ?? ''

describe.each([
  ['tenants', false],
  ['a federation service', true],
])('In a cloud with %s', (_label, isFederation) => {
  const temp = useTemporaryDirectory()
  const enclave = useEnclave({ federationService: isFederation })
  const environment = () => {
    const { clientId, clientSecret, directoryId } = enclave.cloud
    const root = enclave.files.authorityPath
    const trust = { NODE_EXTRA_CA_CERTS: root, REQUESTS_CA_BUNDLE: root, SSL_CERT_FILE: root }
    const client = { PLATFORM_CLIENT_ID: clientId, PLATFORM_CLIENT_SECRET: clientSecret }
    const path = `${pythonFolder}:${process.env['PATH'] ?? ''}`
    return { ...trust, ...client, PLATFORM_DIRECTORY_ID: directoryId, HOME: temp.path, PATH: path }
  }

  test('the TypeScript snippet gets a token', async () => {
    symlinkSync(join(repository, 'node_modules'), join(temp.path, 'node_modules'))
    const file = temp.write('snippet.mts', render('typescript', enclave.cloud.profile))
    const { stdout } = await run(process.execPath, [file], { env: environment(), cwd: temp.path })
    expect(Number(stdout)).toBeGreaterThan(Date.now())
  })

  test.skipIf(withoutPython !== '')(`the Python snippet gets a token${withoutPython}`, async () => {
    const file = temp.write('snippet.py', render('python', enclave.cloud.profile))
    const { stdout } = await run(join(pythonFolder, 'python'), [file], { env: environment() })
    expect(Number(stdout)).toBeGreaterThan(Date.now() / 1000)
  })

  test.skipIf(withoutPython !== '')(`az registers the cloud, signs in and gets a token${withoutPython}`, async () => {
    const file = temp.write('register.sh', render('az', enclave.cloud.profile))
    await run('sh', [file], { env: environment() })
    const { stdout } = await run('az', ['cloud', 'show', '--output', 'json'], { env: environment() })
    const { endpoints, suffixes } = JSON.parse(render('az-json', enclave.cloud.profile)) as ReturnType<typeof azCloud>
    // The portal has no option: az reads it from the metadata of the resource manager.
    const { portal: _, ...given } = endpoints
    expect(JSON.parse(stdout)).toMatchObject({ isActive: true, endpoints: given, suffixes })
    const token = await run('az', ['account', 'get-access-token', '--output', 'json'], { env: environment() })
    expect(JSON.parse(token.stdout)).toHaveProperty('accessToken')
  })
})

const withoutGo = missing('gofmt', '-h')
const withoutTerraform = missing('terraform', 'fmt', '-help')

describe.each([
  ['a private cloud', privateCloud],
  ['a known cloud', government],
  ['a stack', stack],
])('For %s', (_label, profile) => {
  const temp = useTemporaryDirectory()

  test.skipIf(withoutGo !== '')(`gofmt accepts the Go snippet as it is${withoutGo}`, async () => {
    const file = temp.write('main.go', render('go', profile))
    expect((await run('gofmt', ['-l', file])).stdout).toBe('')
  })

  test.skipIf(withoutTerraform !== '')(`terraform fmt finds nothing to change${withoutTerraform}`, async () => {
    const file = temp.write('main.tf', render('terraform', profile))
    const env = { PATH: process.env['PATH'], HOME: temp.path, TF_CLI_CONFIG_FILE: '/dev/null', CHECKPOINT_DISABLE: '1' }
    await expect(run('terraform', ['fmt', '-check', '-diff', file], { env })).resolves.toMatchObject({ stdout: '' })
  })
})
