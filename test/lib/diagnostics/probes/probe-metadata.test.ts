import { describe, expect, test } from 'vitest'
import { withValueAt } from '../../../../src/lib/profile/field-path.ts'
import { useEnclave } from '../../../support/use-enclave.ts'
import { checkOf, contextOf, probe, troublesOf } from '../../diagnostics/probes/enclave-context.ts'

const running = useEnclave()

describe('the metadata of a cloud', () => {
  test('agrees with its profile', async () => {
    const checks = await probe('metadata', contextOf(running.cloud.profile))
    expect(troublesOf(checks)).toEqual([])
    expect(checkOf(checks, 'metadata.matches-profile').message).toMatch(/agrees with the metadata in [3-9] fields/)
  })

  test('that differs is a warning which names the field and both values', async () => {
    const profile = withValueAt(running.cloud.profile, 'resourceManagerAudience', 'https://management.azure.com/')
    const checks = await probe('metadata', contextOf(profile))
    expect(troublesOf(checks)).toEqual(['metadata.matches-profile METADATA_MISMATCH'])
    expect(checkOf(checks, 'metadata.matches-profile')).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(
        /^resourceManagerAudience is "https:\/\/management\.azure\.com\/" here and /,
      ) as string,
    })
  })
})
