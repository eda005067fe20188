import { describe, expect, test } from 'vitest'
import { runInNamespace, withoutNamespaces } from '../support/namespace.ts'
import { commandLine } from '../support/start-command.ts'
import { silent } from './name-server.ts'

const program = (name: string) => new URL(`children/${name}.ts`, import.meta.url)
const argsOf = (given: object) => [commandLine, JSON.stringify(given)]
const onlyIPv6 = {
  // An address in addition to ::1, because resolvers ignore loopback when they look for address families.
  network: ['ip addr del 127.0.0.1/8 dev lo', 'ip -6 addr add fd00:9::1/64 dev lo nodad'],
  files: { 'resolv.conf': 'nameserver ::1\n', hosts: '' },
}
const onlyIPv4 = {
  network: ['ip -6 addr flush dev lo', 'ip addr add 10.9.0.1/32 dev lo'],
  files: { 'resolv.conf': 'nameserver 127.0.0.1\n', hosts: '' },
}

describe.skipIf(withoutNamespaces !== '')(`In a network${withoutNamespaces}`, () => {
  // The DNS server is silent for the other family.
  test.each([
    ['IPv6', onlyIPv6, { loopback: '::1', records: { A: silent, AAAA: '::1' } }, 'http://[::1]:3000'],
    ['IPv4', onlyIPv4, { loopback: '127.0.0.1', records: { A: '127.0.0.1', AAAA: silent } }, 'http://localhost:3000'],
  ])('with %s alone, the service gets a token, and health finds it', async (_, network, given, loopback) => {
    for (const [address, url] of [
      ['', loopback],
      ['[::]', 'http://[::]:3000'],
    ]) {
      const found = await runInNamespace(program('one-family'), argsOf({ ...given, address }), network)
      expect(found).toEqual({ url, status: 'ok' })
    }
  })

  const ended = { code: 0, endedBy: null }
  test.each([
    ['a plain process', 'node', 'SIGTERM', ended],
    ['a plain process after Ctrl-C', 'node', 'SIGINT', ended],
    // npm passes the signal on, waits, and then ends by it.
    ['a child of npm', 'npm', 'SIGTERM', { code: null, endedBy: 'SIGTERM' }],
    ['process 1 of a container', 'unshare', 'SIGTERM', ended],
  ])('a stop while the DNS server is silent takes 3 seconds at most for %s', async (_, starter, signal, expected) => {
    const network = { files: { 'resolv.conf': 'nameserver 127.0.0.1\noptions timeout:10 attempts:2\n' } }
    const { ms, ...end } = (await runInNamespace(program('stop'), argsOf({ starter, signal }), network)) as {
      ms: number
    }
    expect(end).toEqual(expected)
    // A busy machine takes longer. The lookup takes 20 seconds.
    expect(ms).toBeLessThan(6000)
  })
})
