import { describe, expect, test } from 'vitest'
import type { ErrorCode, Evidence } from '../../../src/lib/errors.ts'
import { findingOf, fixOf } from '../../../src/lib/findings/catalog.ts'

/** What a failure means by its evidence alone: cause and fix. */
function explain(code: ErrorCode, evidence: Evidence) {
  const { text, cause = findingOf(code).cause, change } = fixOf({ code, evidence })
  return { text, cause, change }
}

const host = '169.254.169.254'

describe('an unreachable host', () => {
  test.each(['EHOSTUNREACH', 'EACCES', 'EPERM'])(
    'whose packets are rejected (%s) names the firewall first',
    (reason) => {
      const { text, cause } = explain('AUTHORITY_UNREACHABLE', { host: 'login.test', reason })
      expect(cause).toMatch(/^A firewall /)
      expect(text).toMatch(new RegExp(`^Allow traffic .*login\\.test.*firewall.*${reason}`))
      expect(text).not.toMatch(/^Connect/)
    },
  )

  test('without a route is connected to the network of the cloud', () => {
    const { text } = explain('RESOURCE_MANAGER_UNREACHABLE', { host: 'management.test', reason: 'ENETUNREACH' })
    expect(text).toMatch(/^Connect this host to the network/)
  })

  test.each(['ENETUNREACH', 'EHOSTUNREACH', 'EACCES'])(
    'that gives the identity (%s) lacks a route, then an identity',
    (reason) => {
      const { text, cause } = explain('IDENTITY_ENDPOINT_UNREACHABLE', { host, reason })
      expect(cause).toMatch(/no route/)
      expect(text).toMatch(new RegExp(`^Add a route .*${reason}.*If the machine has no managed identity, assign one`))
    },
  )
})

describe('an identity endpoint that', () => {
  const words = 'AADSTS500011: The resource principal named https://management.enclave.test was not found'

  test('does not know the audience leads to the audience, and leaves the client id', () => {
    const { text, cause, change } = explain('MANAGED_IDENTITY_REJECTED', {
      host,
      status: '400',
      error: 'invalid_resource',
      clientId: 'c',
      audience: 'https://management.enclave.test/',
      words,
    })
    expect(cause).toMatch(/does not know the audience/)
    expect(text).toMatch(/^Set resourceManagerAudience .*Do not change PLATFORM_CLIENT_ID/)
    expect(text).toContain(`"${words}"`)
    expect(change).toEqual({ variable: 'PLATFORM_RESOURCE_MANAGER_AUDIENCE' })
  })

  test.each([
    [{ clientId: 'c' }, /PLATFORM_CLIENT_ID.*"Identity not found"/],
    [{}, /^Assign a system-assigned identity .*"Identity not found"/],
  ])('does not find the identity is quoted (%j)', (more, expected) => {
    const evidence = { host, status: '400', error: 'invalid_request', words: 'Identity not found', ...more }
    expect(explain('MANAGED_IDENTITY_REJECTED', evidence).text).toMatch(expected)
  })
})

test.each([
  [{ errorNumber: 'AADSTS7000215' }, /is wrong/, /has expired/],
  [{ errorNumber: 'AADSTS7000222' }, /has expired/, /is wrong/],
  [{ error: 'invalid_client' }, /wrong, has expired/, /^The secret was correct/],
])('a rejected secret with %j', (evidence, expected, other) => {
  const { cause, text } = explain('CLIENT_SECRET_INVALID', evidence)
  expect(cause).toMatch(expected)
  expect(`${cause} ${text}`).not.toMatch(other)
})

describe.each(['AUTHORITY', 'METADATA', 'SERVICE'] as const)('a response of %s', (role) => {
  const evidence = { host: 'x.test', path: '/t/token', receivedBytes: '812' }

  test('that is slow is called slow', () => {
    const { cause, text } = explain(`${role}_TIMEOUT`, evidence)
    expect(cause).toMatch(/^The response of .* begins/)
    expect(text).toMatch(/why its response to \/t\/token is slow: only 812 bytes/)
    expect(`${cause} ${text}`).not.toMatch(/firewall|portal/)
  })

  test.each(['RESET', 'RESPONSE_INVALID'] as const)('that is cut (%s) is called cut', (fault) => {
    const { cause, text } = explain(`${role}_${fault}`, evidence)
    expect(cause).toMatch(/^The response of .* is cut off/)
    expect(text).toMatch(/812 bytes/)
    expect(`${cause} ${text}`).not.toMatch(/portal|sign-in page|correct /)
  })

  test('that never comes, where another path responds, names both paths', () => {
    const { text, cause } = explain(`${role}_TIMEOUT`, { host: 'x.test', path: '/t/token', otherPath: '/t/config' })
    expect(cause).toMatch(/at another path, but not at this one/)
    expect(text).toMatch(/why \/t\/token does not respond in time: \/t\/config of the same host responds/)
  })
})

test('a gateway is asked about by the words of its page', () => {
  const evidence = { host: 'login.test', words: 'Access is limited by policy 12' }
  expect(explain('AUTHORITY_RESPONSE_INVALID', evidence).text).toContain('"Access is limited by policy 12"')
})

test('a proxy that cannot resolve a name is asked to resolve it, and not to allow it', () => {
  const evidence = { host: 'login.test', proxy: 'proxy.test:3128', problem: 'name not resolved', status: '503' }
  const { text } = explain('AUTHORITY_PROXY_FAILED', evidence)
  expect(text).toMatch(/make its DNS server resolve the name login\.test/)
  expect(text).not.toMatch(/allow connections/)
})

test('a federated token for another audience is requested for the audience of the cloud', () => {
  const audiences = {
    assertionAudience: 'https://kubernetes.default.svc',
    federatedAudience: 'api://AzureADTokenExchange',
  }
  const { text } = explain('CLIENT_ASSERTION_REJECTED', audiences)
  expect(text).toMatch(/^Request the federated token for the audience api:\/\/AzureADTokenExchange, /)
  expect(text).not.toMatch(/Register/)
})
