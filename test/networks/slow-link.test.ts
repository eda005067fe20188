import { describe, expect, test } from 'vitest'
import { refusalOfNamespaces } from '../support/namespace.ts'
import { runCommand, slowLink, slowLinkWithSilentFamily } from './run-scene.ts'
import { testSurfaces } from './surfaces.ts'

const refusal = refusalOfNamespaces(slowLink)
if (refusal !== undefined) console.warn(`The tests with a slow link are skipped: ${refusal}`)

describe.skipIf(refusal !== undefined)('a machine on which every round trip takes 400 ms', () => {
  testSurfaces(slowLink, 'http://localhost:3000')
})

describe.skipIf(refusal !== undefined)('a link with 400 ms per round trip', () => {
  test.concurrent.each([
    ['one address', slowLink],
    ['one family that is silent', slowLinkWithSilentFamily],
  ])('to names with %s delays a token, and no more', async (_what, network) => {
    const args = ['smoke-test', '--check-token']
    const { status, stdout, durationMs } = await runCommand(network, { args })
    expect(status === 0 ? '' : stdout).toBe('')
    // TCP, TLS, the OpenID configuration and the token, one after the other.
    expect(durationMs).toBeGreaterThan(1600)
  })

  test.concurrent('lets a cloud be discovered', async () => {
    const { status } = await runCommand(slowLinkWithSilentFamily, { args: ['discover', '{metadata}'] })
    expect(status).toBe(0)
  })
})
