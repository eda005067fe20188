import { afterEach, describe, expect, test } from 'vitest'
import { builtInProfileNames, builtInProfiles } from '../../../src/lib/clouds/known-clouds.ts'
import type { CloudFile } from '../../../src/lib/clouds/cloud-profile.ts'
import { activeTarget, builtInTargets, runSmokeTest } from '../../../src/lib/service/run-smoke-test.ts'

const profiles = builtInProfiles as Map<string, CloudFile>
const originals = new Map(profiles)
afterEach(() => {
  for (const [name, profile] of originals) profiles.set(name, profile)
})

// `smoke-test --all` and the timer check these targets.
describe.each(builtInProfileNames)('If only %s is broken', (broken) => {
  test('the smoke test of all built-in profiles fails by that profile alone, whichever is active', async () => {
    const original = originals.get(broken)
    profiles.set(broken, { ...original, authorityHost: original?.authorityHost?.replace(/\/$/, '') } as CloudFile)
    const other = builtInProfileNames.find((name) => name !== broken)
    const { status, results } = await runSmokeTest({
      targets: [activeTarget({ PLATFORM_CLOUD: other }), ...builtInTargets],
    })
    expect(status).toBe('fail')
    expect(results.filter((result) => result.status === 'fail').map(({ profile }) => profile)).toEqual([broken])
    expect(JSON.stringify(results)).toContain('authorityHost: must end with')
  })
})
