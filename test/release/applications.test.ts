import { readFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { VERSION } from '../../src/lib/settings/version.ts'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { fileOfPackage } from '../support/some-packages.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

// One application, compiled against the tarballs of the release as an ES module and as CommonJS, by each compiler and resolution in use.

const app = useTemporaryDirectory()
const { run } = useProcesses()

const body = `
export async function main(token: string, clientId: string): Promise<void> {
  const wanted: string | undefined = process.env['WANTED_CLOUD']
  const cloud: Cloud = await resolveCloud({ cloud: wanted, credential: new DefaultAzureCredential(), env: process.env })
  const own: Cloud = await resolveCloud({ profile: imported })
  const url: string = own.service('myThing', 'x').url + cloud.service('storage', 'account').url
  const settings: CredentialSettings = { mode: 'clientSecret', clientId, clientSecret: 's', tenantId: wanted }
  const federated: CredentialSettings = { mode: 'workloadIdentity', clientId, federatedTokenFile: 'f', allowedTokenHosts: undefined }
  const vault = new SecretClient(cloud.service('keyVault', 'v').url, cloud.credential, cloud.service('keyVault').clientOptions)
  const blobs = new BlobServiceClient(cloud.service('blob', 'a').url, cloud.onBehalfOf(token, settings), cloud.service('blob').clientOptions)
  const { createRemoteJWKSet, jwtVerify } = await import('jose')
  const keys = createRemoteJWKSet(new URL(cloud.identity.jwksUri()))
  await jwtVerify(token, keys, { issuer: cloud.identity.issuers(), audience: cloud.identity.audiences(clientId) })
  const { audiences } = await discoverCloud(cloud.profile, { signal: AbortSignal.timeout(1000), timeoutMs: undefined })
  await using enclave: Enclave = await startEnclave({ mode: 'clientSecret', faults: [{ fault: { kind: 'silent' } }] })
  const tested = await resolveCloud({ env: enclave.environment })
  try {
    await tested.credential.getToken(scopeFor(audiences[0]), { abortSignal: new AbortController().signal })
  } catch (error) {
    if (!isServiceError(error)) throw error
    const facts: [ErrorCode, string, number | undefined, boolean] = [error.code, error.fix, error.retryAfterMs, error.isTransient]
    throw new ServiceError('AUTHORITY_REFUSED', String([facts, error.evidence?.['host'], vault, blobs, url, federated]), { cause: error })
  }
  // @ts-expect-error no code
  throw new ServiceError('NO_CODE', 'x')
}
`
const imports = `
import { DefaultAzureCredential } from '@azure/identity'
import { SecretClient } from '@azure/keyvault-secrets'
import { BlobServiceClient } from '@azure/storage-blob'
import { type Cloud, type CredentialSettings, type ErrorCode, isServiceError, resolveCloud, scopeFor, ServiceError } from 'cloud-profile-service'
import { discoverCloud } from 'cloud-profile-service/metadata'
import { type Enclave, startEnclave } from 'cloud-profile-enclave'
`

const compilers = {
  '5.9': () => join(dirname(fileOfPackage('typescript-5.9/package.json')), 'bin/tsc'),
  '7': () => join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc'),
} as const

beforeAll(async () => {
  app.write('package.json', { type: 'module', private: true })
  const profile = readFileSync(join(repository, 'cloud-profiles/platform-commercial.json'), 'utf8')
  app.write('enclave.json', profile)
  for (const name of ['cloud-profile-service', 'cloud-profile-enclave']) {
    const folder = join(app.path, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    const tarball = join(inject('releases').clones[0], `dist/release/${name}-${VERSION}.tgz`)
    const { code, stderr } = await run(['-xzf', tarball, '--strip-components=1', '-C', folder], { command: 'tar' })
    if (code !== 0) throw new Error(stderr)
  }
  for (const name of ['@azure', '@types', 'jose']) {
    symlinkSync(join(repository, 'node_modules', name), join(app.path, 'node_modules', name), 'dir')
  }
})

test.each(
  (['5.9', '7'] as const).flatMap((version) =>
    (
      [
        ['node16', 'node16'],
        ['nodenext', 'nodenext'],
        ['esnext', 'bundler'],
      ] as const
    ).map(([module, resolution]) => [version, module, resolution] as const),
  ),
)(
  'an application compiles with TypeScript %s, module %s and resolution %s',
  async (version, module, moduleResolution) => {
    const isBundled = moduleResolution === 'bundler'
    const attribute = module === 'nodenext' ? ` with { type: 'json' }` : ''
    const name = `${version}-${module}`
    app.write(`${name}.mts`, `${imports}import imported from './enclave.json'${attribute}\n${body}`)
    if (!isBundled) app.write(`${name}.cts`, `${imports}import imported = require('./enclave.json')\n${body}`)
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable', 'dom'],
      types: ['node'],
      resolveJsonModule: true,
      esModuleInterop: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
    }
    app.write(`${name}.json`, { compilerOptions, files: isBundled ? [`${name}.mts`] : [`${name}.mts`, `${name}.cts`] })
    const tsc = compilers[version]()
    expect((await run([tsc, '--version'])).stdout).toContain(`Version ${version}.`)
    const { stdout, stderr } = await run([tsc, '-p', `${name}.json`], { cwd: app.path })
    // The types of this package are invalid in CommonJS under node16.
    const lines = (stdout + stderr).split('\n').filter((line) => !/^$|node_modules.@azure.msal-node/.test(line))
    expect(lines).toEqual([])
  },
)
