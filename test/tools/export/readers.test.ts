import { execFile } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import type { azCloud } from '../../../src/lib/profile/az-cloud.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { recordCalls } from '../../support/run-shell.ts'
import { missing } from '../../support/missing.ts'
import { azureLocal, enclave as privateCloud, government, stack } from '../../support/sample-profiles.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { useEnclave } from '../../support/use-enclave.ts'

// The programs themselves read our texts. `.ci/deploy-tools` installs the ones of PyPI.

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../..', import.meta.url))
const pythonFolder = join(repository, '.tools/azure/bin')
const goFolder = join(repository, '.tools/go-readers')
const kubelogin = join(repository, '.tools/bin/kubelogin')
const without = (path: string) => (existsSync(path) ? '' : ' [skipped: run .ci/deploy-tools first]')
const withoutPython = without(pythonFolder)
const withoutGoModules = without(join(goFolder, 'read-environment'))
const withoutKubelogin = without(kubelogin)
const render = (format: string, profile: CloudProfile) => exportFormats[format]?.render(profile) ?? ''

describe.each([
  ['a cloud with tenants', {}],
  ['a cloud with a federation service', { federationService: true }],
  ['Azure Local', { cloud: azureLocal, localServices: true }],
])('In %s', (_label, options) => {
  const temp = useTemporaryDirectory()
  const enclave = useEnclave(options)
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

  test.skipIf(withoutKubelogin !== '')(`kubelogin gets a token${withoutKubelogin}`, async () => {
    const [call = []] = recordCalls(render('kubelogin', enclave.cloud.profile), 'kubectl', { KUBE_USER: 'u' })
    const args = call.flatMap((word) => /^--exec-arg=(.*)$/.exec(word)?.[1] ?? [])
    const { clientId, clientSecret, resourceManagerAudience: server } = enclave.cloud
    const secret = { AAD_SERVICE_PRINCIPAL_CLIENT_ID: clientId, AAD_SERVICE_PRINCIPAL_CLIENT_SECRET: clientSecret }
    const options = { env: { ...environment(), ...secret } }
    const audience = `--server-id=${server.replace(/\/$/, '')}`
    const { stdout } = await run(kubelogin, [...args, '--login=spn', audience], options)
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'ExecCredential', status: { token: /./ } })
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

const readersTemp = useTemporaryDirectory()

test.skipIf(withoutKubelogin !== '')(
  `kubelogin converts a kubeconfig for a cloud that it knows${withoutKubelogin}`,
  async () => {
    const path = `${join(repository, '.tools/bin')}:${process.env['PATH'] ?? ''}`
    const config = { 'server-id': 'app', 'tenant-id': 'tenant', environment: 'AzurePublicCloud' }
    const users = [{ name: 'u', user: { 'auth-provider': { name: 'azure', config } } }]
    const contexts = [{ name: 'c', context: { cluster: 'c', user: 'u' } }]
    const kubeconfig = readersTemp.write('config', { 'current-context': 'c', contexts, users })
    const script = readersTemp.write('convert.sh', render('kubelogin', government))
    const env = { PATH: path, HOME: readersTemp.path, KUBECONFIG: kubeconfig }
    await run('sh', [script, '--login=spn', '--client-id=a', '--server-id=b'], { env })
    const args = expect.arrayContaining(['--environment', 'AzureUSGovernmentCloud']) as unknown
    expect(parse(readFileSync(kubeconfig, 'utf8'))).toMatchObject({ users: [{ user: { exec: { args } } }] })
  },
)

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

  test.skipIf(withoutGoModules !== '')(`azidentity compiles the Go snippet${withoutGoModules}`, async () => {
    const file = temp.write('snippet.go', render('go', profile))
    const env = { PATH: process.env['PATH'], HOME: homedir(), GOFLAGS: '-mod=mod', GOPROXY: 'off' }
    await expect(run('go', ['vet', file], { env, cwd: goFolder })).resolves.toMatchObject({ stderr: '' })
  })

  test.skipIf(withoutGoModules !== '')(`go-autorest reads every value${withoutGoModules}`, async () => {
    const written = JSON.parse(render('go-autorest', profile)) as { readonly name: string }
    const env = { AZURE_ENVIRONMENT_FILEPATH: temp.write('environment.json', JSON.stringify(written)) }
    // A known name has the values of the library: a program that sets it does not read the file.
    const { stdout } = await run(join(goFolder, 'read-environment'), ['AzureStackCloud'], { env })
    expect(JSON.parse(stdout)).toMatchObject(written)
  })

  test.skipIf(withoutTerraform !== '')(`terraform fmt finds nothing to change${withoutTerraform}`, async () => {
    const file = temp.write('main.tf', render('terraform', profile))
    const env = { PATH: process.env['PATH'], HOME: temp.path, TF_CLI_CONFIG_FILE: '/dev/null', CHECKPOINT_DISABLE: '1' }
    await expect(run('terraform', ['fmt', '-check', '-diff', file], { env })).resolves.toMatchObject({ stdout: '' })
  })
})
