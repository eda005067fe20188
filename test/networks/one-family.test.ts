import { describe, expect, test } from 'vitest'
import type { Command } from './inside.ts'
import { onlyIPv4, onlyIPv6, refusal, runScene, withLinkLocal } from './run-scene.ts'
import { outcomeOf, testSurfaces } from './surfaces.ts'

describe.skipIf(refusal !== undefined).each([
  ['IPv6', onlyIPv6, 'http://[::1]:3000'],
  ['IPv4', onlyIPv4, 'http://localhost:3000'],
] as const)('a machine with %s alone', (_family, network, url) => {
  testSurfaces(network, url)
})

describe.skipIf(refusal !== undefined)('a link-local address', () => {
  test.concurrent('with its zone, in every spelling, is served on and found by health', async () => {
    const addresses = ['fe80::1%near', '[fe80::1%near]', '[fe80::1%25near]', 'FE80:0::1%near']
    const commands = addresses.map((address): Command => {
      const env = { PLATFORM_LISTEN_ADDRESS: address, PLATFORM_HOST_KEY: 'key-for-the-test-of-zones' }
      return { args: ['serve'], env, during: [{ args: ['health'], env }] }
    })
    const said = await runScene(withLinkLocal, { commands })
    for (const { stdout } of said) expect(stdout).toMatch(/running on http:\/\/\[fe80:[0:]*:1%25near\]:3000\n/i)
    expect(said.map(({ status, during }) => [status, ...during.map(outcomeOf)])).toEqual(addresses.map(() => [0, 0]))
  })
})
