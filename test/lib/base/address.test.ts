import { expect, test } from 'vitest'
import { isLoopback, portOf, withoutBrackets } from '../../../src/lib/base/address.ts'

test.each([
  [true, ['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.9', '::1', '[::1]', '::ffff:127.0.0.1']],
  [false, ['0.0.0.0', '::', '128.0.0.1', 'a.localhost', '127.0.0.1.example', '[::2]', '[::ffff:7f00:1]']],
])('it is %s that each is this machine for sure: %j', (expected, names) => {
  expect(names.map(isLoopback)).toEqual(names.map(() => expected))
})

test.each([
  ['https://a.example/', 443],
  ['http://a.example/', 80],
  ['https://a.example:8443/', 8443],
])('%s has port %i', (url, port) => expect(portOf(new URL(url))).toBe(port))

test.each([
  ['[fe80::1%eth0]', 'fe80::1%eth0'],
  ['[fe80::1%25eth0]', 'fe80::1%eth0'],
  ['fe80::1%25', 'fe80::1%25'],
  ['[fe80::1%25]', 'fe80::1%25'],
  ['host.example', 'host.example'],
])('%s is the host %s for a socket', (host, expected) => expect(withoutBrackets(host)).toBe(expected))
