import { expect, test } from 'vitest'
import { knownClouds } from '../../../src/lib/clouds/known-clouds.ts'
import { runCommand } from '../run-in-process.ts'

test('lists every known cloud, how to select it, and its services', async () => {
  const { code, stdout, stderr } = await runCommand(['clouds'])
  expect([code, stderr]).toEqual([0, ''])
  for (const { name, displayName } of knownClouds) expect(stdout).toContain(`${name}: ${displayName} (`)
  expect(stdout).toContain('bleu: Bleu (France) (PLATFORM_CLOUD=bleu)')
  expect(stdout).toMatch(
    /^delos: Delos \(Germany\) \(recognized only: no published value of resourceManagerAudience, /m,
  )
  expect(stdout).toMatch(/^serviceBus +\.servicebus\.usgovcloudapi\.net +https:\/\/servicebus\.azure\.net\/ +5671$/m)
})

test('as JSON it has the values of one cloud, and refuses another name', async () => {
  const { stdout } = await runCommand(['clouds', 'bleu', '--format', 'json'])
  expect(JSON.parse(stdout)).toMatchObject({
    clouds: [{ name: 'bleu', isSelectable: true, services: { keyVault: { dnsSuffix: '.vault.sovcloud-api.fr' } } }],
  })
  const { code, stderr } = await runCommand(['clouds', 'blue'])
  expect(code).toBe(2)
  expect(stderr).toContain('Did you mean bleu?')
})
