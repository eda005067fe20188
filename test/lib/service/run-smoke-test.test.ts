import { expect, onTestFinished, test, vi } from 'vitest'
import type { CloudFile } from '../../../src/lib/clouds/cloud-profile.ts'
import { builtInProfileNames, builtInProfiles } from '../../../src/lib/clouds/known-clouds.ts'
import type { Check } from '../../../src/lib/diagnostics/report.ts'
import { activeTarget, builtInTargets, runSmokeTest } from '../../../src/lib/service/run-smoke-test.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const targetOf = (label: string, customProfilePath: string) => ({ label, options: { customProfilePath, env: {} } })
const sound = targetOf('sound', directory.write('sound.json', profileDocument()))
const invalid = targetOf('invalid', directory.write('invalid.json', profileDocument({ name: '' })))
const missing = targetOf('missing', `${directory.path}/missing.json`)
const check = (status: Check['status']): Check => ({ id: 'token.acquired', status, message: 'x', durationMs: 1 })

test('an invalid profile is a failed result with code and message, and the others are still checked', async () => {
  const { status, results } = await runSmokeTest({ targets: [missing, invalid, sound] })
  expect(status).toBe('fail')
  expect(results).toMatchObject([
    { profile: 'missing', status: 'fail', checks: [{ id: 'profile.valid', code: 'PROFILE_UNREADABLE' }] },
    { profile: 'invalid', status: 'fail', checks: [{ code: 'PROFILE_INVALID', message: /name: must not be empty/ }] },
    { profile: 'my-enclave', status: 'pass', checks: [{ id: 'profile.valid', status: 'pass' }] },
  ])
})

test.each([
  ['pass', false, 'pass'],
  ['skip', true, 'pass'],
  ['warn', true, 'fail'],
  ['fail', false, 'fail'],
] as const)('a token check that ends with %s (strict: %s) makes the profile %s', async (token, strict, expected) => {
  const targets = [{ ...sound, checkToken: async () => ({ checks: [check(token)] }) }]
  const { status, results } = await runSmokeTest({ targets, strict })
  expect(status).toBe(expected)
  expect(results[0]?.checks.map(({ id }) => id)).toEqual(['profile.valid', 'token.acquired'])
})

test('no token is asked for with a profile that is invalid', async () => {
  const checkToken = vi.fn<() => Promise<{ checks: [] }>>(async () => ({ checks: [] }))
  await runSmokeTest({ targets: [{ ...invalid, checkToken }] })
  expect(checkToken).not.toHaveBeenCalled()
})

test('progress is told before each profile and at the end', async () => {
  const told: unknown[] = []
  await runSmokeTest({ targets: [sound, missing], onProgress: (...progress) => told.push(progress) })
  expect(told).toEqual([
    [0, 2, 'sound'],
    [1, 2, 'missing'],
    [2, 2, ''],
  ])
})

test('the placeholders of a profile that nothing uses are notes, which only strict counts', async () => {
  const targets = builtInTargets.map((target) => ({ ...target, inUse: false }))
  const { status, results } = await runSmokeTest({ targets })
  expect(status).toBe('pass')
  expect(results[2]).toMatchObject({ warnings: [], notes: [{ code: 'PLACEHOLDER_FIELD' }] })
  // Functions cannot run on an on-premises stack.
  expect(results[4]?.notes?.map(({ code }) => code)).toContain('FUNCTIONS_ON_STACK')
  expect((await runSmokeTest({ targets, strict: true })).status).toBe('fail')
})

test.each(builtInProfileNames)('if %s is broken, it alone fails, whichever profile is active', async (broken) => {
  const profiles = builtInProfiles as Map<string, CloudFile>
  const original = profiles.get(broken) as CloudFile
  onTestFinished(() => void profiles.set(broken, original))
  profiles.set(broken, { ...original, authorityHost: original.authorityHost?.replace(/\/$/, '') ?? '' })
  const active = activeTarget({ PLATFORM_CLOUD: builtInProfileNames.find((name) => name !== broken) })
  const { status, results } = await runSmokeTest({ targets: [active, ...builtInTargets] })
  expect(status).toBe('fail')
  expect(results.filter((result) => result.status === 'fail').map(({ profile }) => profile)).toEqual([broken])
  expect(JSON.stringify(results)).toContain('authorityHost: must end with')
})
