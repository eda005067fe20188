import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportFormats } from '../../../src/lib/export/export-formats.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { sourceShell } from '../../lib/export/run-shell.ts'
import { useEnclave } from '../../support/use-enclave.ts'
import { cleanEnvironment } from '../../support/environment.ts'
import { useProcesses } from '../../support/processes.ts'
import { repository } from '../../support/project-copy.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { useProfileCommand } from '../run-profile.ts'

const runProfile = useProfileCommand()

describe('export', () => {
  test.each(['az', 'az-json'])('%s writes the export and nothing else to stdout', async (name) => {
    const env = {
      PLATFORM_CLOUD: 'platform-us-gov-secret',
      PLATFORM_CLIENT_SECRET: 'not-for-export',
      PLATFORM_PASSWORD: 'not-for-export',
    }
    const { code, stdout, stderr } = await runProfile(['export', name, ...(name === 'az' ? ['--force'] : [])], { env })
    expect(code).toBe(0)
    expect(stdout).toBe(exportFormats[name]?.render(resolveCloudProfile({ env })))
    expect(`${stdout}${stderr}`).not.toContain('not-for-export')
    expect(stderr).toMatch(/^warning PLACEHOLDER_FIELD/)
  })

  test.each(['az', 'powershell'])('%s is refused with placeholders, which it would configure', async (name) => {
    const { code, stdout, stderr } = await runProfile(['export', name, '--cloud', 'platform-us-gov-secret'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/Replace authorityHost, .* or give --force$/m)
    expect((await runProfile(['export', name, '--cloud', 'platform-us-government'])).code).toBe(0)
  })

  test('of the environment, sourced again, is a fixed point', async () => {
    const env = { PLATFORM_CLOUD: 'platform-commercial', PLATFORM_STORAGE_DNS_SUFFIX: '.blob.other.test' }
    const first = await runProfile(['export', 'env'], { env })
    const second = await runProfile(['export', 'env'], { env: sourceShell(first.stdout) })
    expect(second.stdout).toBe(first.stdout)
  })
})

/** The interpreter with the newest azure-identity, and its version as one number: 1.13.2 as 1013. Betas do not count. */
const python = ['/usr/bin/python3', 'python3']
  .map((command) => ({ command, version: libraryVersion(command) }))
  .sort((a, b) => b.version - a.version)[0]

describe.each([
  // The library learned to leave the public discovery alone in 1.13; a federation service never was in it.
  ['with tenants', { federationService: false }, 1013],
  ['with a federation service', { federationService: true }, 1],
])('an exported snippet gets a token from an enclave %s', (_label, options, needed) => {
  const skipped = (python?.version ?? 0) < needed
  const enclave = useEnclave(options)
  const { run } = useProcesses()
  const temp = useTemporaryDirectory()
  let env: Record<string, string>
  let profile: string

  beforeAll(() => {
    const { ca, clientId, clientSecret } = enclave.cloud
    const authority = temp.write('ca.pem', ca.certificatePem)
    profile = temp.write('profile.json', enclave.cloud.profile)
    symlinkSync(join(repository, 'node_modules'), join(temp.path, 'node_modules'))
    env = {
      NODE_EXTRA_CA_CERTS: authority,
      REQUESTS_CA_BUNDLE: authority,
      PLATFORM_CLIENT_ID: clientId,
      PLATFORM_CLIENT_SECRET: clientSecret,
    }
  })
  const exported = async (format: string) => (await runProfile(['export', format, '--profile', profile])).stdout
  const expectToken = (token: string) => {
    expect(decodeJwt(token)['appid'] ?? decodeJwt(token)['azp']).toBe(enclave.cloud.clientId)
    expect(enclave.cloud.foreign.received).toStrictEqual([])
  }

  test('in TypeScript', async () => {
    temp.write('cloud.ts', await exported('typescript'))
    const main = temp.write(
      'main.ts',
      `import { cloud, createCredential } from './cloud.ts'
const { token } = await createCredential().getToken(cloud.resourceManagerScope)
process.stdout.write(token)\n`,
    )
    const { stdout, stderr } = await run([main], { env })
    expect(stderr.replace(/^\(node:.*\n|^Reparsing.*\n|^To eliminate.*\n|^\(Use .*\n/gm, '')).toBe('')
    expectToken(stdout)
  })

  test.skipIf(skipped)(
    `in Python${skipped ? ' [skipped: no python3 here has a new enough azure-identity]' : ''}`,
    async () => {
      temp.write('cloud.py', await exported('python'))
      const main = temp.write(
        'main.py',
        `import sys, cloud\nsys.stdout.write(cloud.create_credential().get_token(cloud.RESOURCE_MANAGER_SCOPE).token)\n`,
      )
      const { stdout, stderr } = await run([main], { env, ...(python && { command: python.command }) })
      expect(stderr).toBe('')
      expectToken(stdout)
    },
  )
})

function libraryVersion(command: string): number {
  try {
    const version = execFileSync(command, ['-c', 'import azure.identity; print(azure.identity.__version__)'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: cleanEnvironment(),
      encoding: 'utf8',
    })
    const [major = 0, minor = 0] = version.split('.').map(Number)
    return major * 1000 + minor - (/[ab]/.test(version) ? 1 : 0)
  } catch {
    return 0
  }
}
