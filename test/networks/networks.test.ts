import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { enclaveAuthModes } from 'cloud-profile-enclave/choices'
import type { Command, Said } from './inside.ts'
import { mute } from './name-server.ts'
import { onlyIPv4, onlyIPv6, refusal, runInside, runScene, withLinkLocal } from './run-scene.ts'

const check = ['smoke-test', '--check-token']
const open = { PLATFORM_LISTEN_ADDRESS: '[::]', PLATFORM_HOST_KEY: 'key-for-the-test-of-networks' }
const health = (env = {}): Command => ({ args: ['health'], env })
const running = (url: string) => `Server running on ${url}\n`
const withProxy = { HTTPS_PROXY: '{proxy}', PLATFORM_STORAGE_ACCOUNT: 'one' }

/** The commands of one test, which all end with 0, and what they print. */
const rowsFor = (url: string): readonly (readonly [title: string, commands: readonly Command[], printed: string])[] => [
  [
    'acquires a token in every mode but that of the command-line tool, which is a separate process',
    enclaveAuthModes.filter((mode) => mode !== 'platformCli').map((mode) => ({ args: check, mode })),
    '1 passed',
  ],
  ['discovers the cloud', [{ args: ['discover', '{metadata}'] }], '"authorityHost"'],
  ['discovers the audience', [{ args: check, env: { PLATFORM_DISCOVER_AUDIENCE: 'true' } }], '1 passed'],
  ['reaches a service by proxy', [{ args: [...check, '--verbose'], env: withProxy }], 'ok storage.accepts-token'],
  ['serves on loopback', [{ args: ['serve'], during: [health()], path: '/api/diagnostics' }], running(url)],
  ['serves on all addresses', [{ args: ['serve'], env: open, during: [health(open)] }], running('http://[::]:3000')],
  ['runs the demo', [{ args: ['demo'], path: '/api/diagnostics' }], running(url)],
  ['runs the enclave', [{ args: ['enclave', '--shell', 'posix'], during: [] }], 'AUTH_MODE'],
]

/** 0, or what a failed assertion shall show. */
const outcomesOf = (said: readonly Said[]): unknown[] =>
  said.flatMap(({ status, stdout, stderr, during }) => [
    status === 0 ? 0 : `${status}\n${stdout}${stderr}`,
    ...outcomesOf(during),
  ])

describe.skipIf(refusal !== undefined).each([
  ['IPv6', onlyIPv6, { A: mute, AAAA: '::1' }, 'http://[::1]:3000'],
  ['IPv4', onlyIPv4, { A: '127.0.0.1', AAAA: mute }, 'http://localhost:3000'],
] as const)(`A machine that has only %s${refusal ?? ''}`, (_family, network, localhost, url) => {
  test.concurrent.each(rowsFor(url))('%s', async (_, commands, printed) => {
    const said = await runScene(network, { commands })
    expect(outcomesOf(said).filter((outcome) => outcome !== 0)).toEqual([])
    for (const { stdout, body = '{"status":"ok"}' } of said) {
      expect(stdout.replaceAll(/ +/g, ' ')).toContain(printed)
      expect(JSON.parse(body)).toMatchObject({ status: 'ok' })
    }
  })

  test.concurrent('gets a token while the DNS server is silent for the other family', async () => {
    const withoutHosts = { ...network, files: { ...network.files, hosts: '' } }
    const said = await runScene(withoutHosts, { commands: [{ args: check }], names: { localhost } })
    expect(outcomesOf(said)).toEqual([0])
  })
})

const program = (name: string) => fileURLToPath(new URL(`children/${name}.ts`, import.meta.url))

describe.skipIf(refusal !== undefined)('In a network', () => {
  test('a link-local address with its zone, in every spelling, is served on and found by health', async () => {
    const commands = ['fe80::1%near', '[fe80::1%near]', '[fe80::1%25near]', 'FE80:0::1%near'].map(
      (address): Command => {
        const env = { ...open, PLATFORM_LISTEN_ADDRESS: address }
        return { args: ['serve'], env, during: [health(env)] }
      },
    )
    const said = await runScene(withLinkLocal, { commands })
    for (const { stdout } of said) expect(stdout).toMatch(/running on http:\/\/\[fe80:[0:]*:1%25near\]:3000\n/i)
    expect(outcomesOf(said).filter((outcome) => outcome !== 0)).toEqual([])
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
    const { ms, ...end } = (await runInside(program('stop'), { starter, signal }, network)) as { ms: number }
    expect(end).toEqual(expected)
    // A busy machine takes longer. The lookup takes 20 seconds.
    expect(ms).toBeLessThan(6000)
  })
})
