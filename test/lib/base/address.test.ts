import { expect, test } from 'vitest'
import { isLoopback, networkOf, portOf, withoutBrackets } from '../../../src/lib/base/address.ts'

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.9', '::1', '[::1]', '::ffff:127.0.0.1'])(
  '%s is this machine',
  (hostname) => expect(isLoopback(hostname)).toBe(true),
)

test.each([
  '0.0.0.0',
  '::',
  '10.0.0.1',
  '128.0.0.1',
  'localhost.example',
  'a.localhost',
  '127.0.0.1.example',
  '[::2]',
  '127.1.example',
  '[::ffff:7f00:1]',
])('%s may be another machine', (hostname) => expect(isLoopback(hostname)).toBe(false))

test.each([
  ['https://a.example/', 443],
  ['http://a.example/', 80],
  ['https://a.example:8443/', 8443],
])('%s has port %i', (url, port) => expect(portOf(new URL(url))).toBe(port))

test.each([
  ['[::1]', '::1'],
  ['::1', '::1'],
  ['[fe80::1%eth0]', 'fe80::1%eth0'],
  ['[fe80::1%25eth0]', 'fe80::1%eth0'],
  ['fe80::1%25', 'fe80::1%25'],
  ['[fe80::1%25]', 'fe80::1%25'],
  ['host.example', 'host.example'],
])('%s is the host %s for a socket', (host, expected) => expect(withoutBrackets(host)).toBe(expected))

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::2', '2001:db8:0:0'],
  ['2001:db8::ffff:2:3:4', '2001:db8:0:0'],
  ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0'],
  ['2001:db8:0:1::1', '2001:db8:0:1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('the host of %s cannot leave the network %s', (address, network) => expect(networkOf(address)).toBe(network))
