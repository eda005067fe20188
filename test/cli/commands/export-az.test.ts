import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { equalUrls } from '../../../src/lib/base/address.ts'
import { useEnclave } from '../../support/use-enclave.ts'
import { cleanEnvironment } from '../../support/environment.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { useProfileCommand } from '../run-profile.ts'

const timeout = 120_000
const missing = azIsMissing() ? ' [skipped: az is not installed]' : ''

/** With a federation service, because an az from before late 2023 asks the public cloud about any other authority. */
describe.skipIf(missing !== '')(`the real az takes an exported profile${missing}`, () => {
  const enclave = useEnclave({ federationService: true })
  const runProfile = useProfileCommand()
  const temp = useTemporaryDirectory()
  let env: NodeJS.ProcessEnv
  let profile: string

  beforeAll(async () => {
    const { ca, clientId, clientSecret, directoryId, resourceManagerEndpoint } = enclave.cloud
    const authority = temp.write('ca.pem', ca.certificatePem)
    const config = join(temp.path, 'az')
    mkdirSync(config)
    env = cleanEnvironment({
      AZURE_CONFIG_DIR: config,
      AZURE_CORE_COLLECT_TELEMETRY: 'false',
      REQUESTS_CA_BUNDLE: authority,
      PLATFORM_CLIENT_ID: clientId,
      PLATFORM_CLIENT_SECRET: clientSecret,
      PLATFORM_DIRECTORY_ID: directoryId,
    })
    profile = join(temp.path, 'profile.json')
    await runProfile(['discover', resourceManagerEndpoint, '--name', 'stack', '--output', profile], {
      env: { NODE_EXTRA_CA_CERTS: authority },
    })
  })

  const exported = async (format: string) => (await runProfile(['export', format, '--profile', profile])).stdout
  const az = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)('az', [...args, '--output', 'json'], { env })
    return stdout.trim() === '' ? undefined : JSON.parse(stdout)
  }

  test('az: registers, sets and logs in, up to a token for the resource manager', { timeout }, async () => {
    const script = temp.write('register.sh', await exported('az'))
    await promisify(execFile)('sh', [script], { env })
    expect(await az('cloud', 'show')).toMatchObject({ name: 'stack', isActive: true })
    const { accessToken } = (await az('account', 'get-access-token')) as { accessToken: string }
    const { aud, appid } = decodeJwt(accessToken)
    expect(appid).toBe(enclave.cloud.clientId)
    expect(equalUrls(String(aud), enclave.cloud.resourceManagerAudience)).toBe(true)
  })

  test('az-json: --cloud-config accepts it, with the same result', { timeout }, async () => {
    const file = temp.write('cloud.json', await exported('az-json'))
    await az('cloud', 'register', '--name', 'by-file', '--cloud-config', `@${file}`)
    const { endpoints, suffixes } = JSON.parse(await exported('az-json')) as Record<string, object>
    expect(await az('cloud', 'show', '--name', 'by-file')).toMatchObject({ endpoints, suffixes })
  })
})

function azIsMissing(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v az'], { stdio: 'ignore', env: cleanEnvironment() })
    return false
  } catch {
    return true
  }
}
