import { describe, expect, test } from 'vitest'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { sourceShell } from '../../support/run-shell.ts'
import { runCommand } from '../run-in-process.ts'

describe('export', () => {
  test.each(['az', 'az-json'])('%s writes the export and nothing else to stdout', async (name) => {
    const secrets = { PLATFORM_CLIENT_SECRET: 'not-for-export', PLATFORM_PASSWORD: 'not-for-export' }
    const env = { PLATFORM_CLOUD: 'platform-us-gov-secret', ...secrets }
    const { code, stdout, stderr } = await runCommand(['export', name, ...(name === 'az' ? ['--force'] : [])], { env })
    expect(code).toBe(0)
    expect(stdout).toBe(exportFormats[name]?.render(resolveCloudProfile({ env })))
    expect(`${stdout}${stderr}`).not.toContain('not-for-export')
    expect(stderr).toMatch(/^warning PLACEHOLDER_FIELD/)
  })

  test.each(['az', 'powershell'])('%s is refused with placeholders, which it would configure', async (name) => {
    const { code, stdout, stderr } = await runCommand(['export', name, '--cloud', 'platform-us-gov-secret'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/Replace authorityHost, .* or give --force$/m)
    expect((await runCommand(['export', name, '--cloud', 'platform-us-government'])).code).toBe(0)
  })

  test('of the environment, sourced again, is a fixed point', async () => {
    const env = { PLATFORM_CLOUD: 'platform-commercial', PLATFORM_STORAGE_DNS_SUFFIX: '.blob.other.test' }
    const first = await runCommand(['export', 'env'], { env })
    const second = await runCommand(['export', 'env'], { env: sourceShell(first.stdout) })
    expect(second.stdout).toBe(first.stdout)
  })
})
