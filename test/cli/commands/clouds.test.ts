import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { builtInClouds, knownClouds } from '../../../src/lib/clouds/known-clouds.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { runCommand } from '../run-command.ts'

const temp = useTemporaryDirectory()

const lines = async (args: readonly string[]): Promise<string[]> => {
  const { code, stdout, stderr } = await runCommand(['clouds', ...args])
  expect([code, stderr]).toEqual([0, ''])
  return stdout.trimEnd().split('\n')
}

test('lists every known cloud in one line, with its login authority and how to select it', async () => {
  const [, ...rows] = await lines([])
  const clouds = [...new Set([...builtInClouds, ...knownClouds])]
  expect(rows.map((row) => row.split(' ')[0])).toEqual(clouds.map(({ name }) => name))
  for (const [index, { displayName, authorityHost }] of clouds.entries()) {
    expect(rows[index]).toContain(` ${displayName} `)
    expect(rows[index]).toContain(` ${authorityHost} `)
  }
  expect(rows[1]).toMatch(/ PLATFORM_CLOUD=platform-us-government$/)
  expect(rows.find((row) => row.startsWith('delos'))).toMatch(/ recognized only: 3 fields missing$/)
})

test('with a name it prints every value of one cloud, and refuses another name', async () => {
  const text = (await lines(['platform-us-government'])).join('\n')
  expect(text).toMatch(/^serviceBus +\.servicebus\.usgovcloudapi\.net +https:\/\/servicebus\.azure\.net\/ +5671$/m)
  expect((await lines(['delos']))[0]).toContain('; no published value of resourceManagerAudience, ')
  const services = { keyVault: { dnsSuffix: '.vault.sovcloud-api.fr' } }
  const { stdout } = await runCommand(['clouds', 'bleu', '--format', 'json'])
  expect(JSON.parse(stdout)).toMatchObject({ clouds: [{ name: 'bleu', services }] })
  const [line = ''] = await lines(['bleu'])
  expect(existsSync(/CUSTOM_CLOUD_PROFILE_PATH=([^)]*)/.exec(line)?.[1] ?? '')).toBe(true)
})

describe('the name of a cloud', () => {
  const commands = [['clouds'], ['explain'], ['export', 'env'], ['explain', '--cloud'], ['enclave', '--cloud']]

  test.each(commands)('has one hint: %s %s', async (...args) => {
    for (const [name, meant] of [
      ['usgov', 'platform-us-government'],
      ['AzureCloud', 'platform-commercial'],
      ['blue', 'bleu'],
    ] as const) {
      const { code, stderr } = await runCommand([...args, name])
      expect(code).toBe(2)
      expect(stderr).toMatch(new RegExp(`^Unsupported cloud "${name}"\\. Did you mean ${meant}\\? Use one of `))
    }
  })

  test('may follow explain and export as it follows clouds', async () => {
    expect((await runCommand(['explain', 'bleu'])).stdout).toContain('https://login.sovcloud-identity.fr/')
    expect((await runCommand(['export', 'az', 'platform-china'])).stdout).toContain("--name='AzureChinaCloud'")
    expect(await runCommand(['explain', 'bleu', '--cloud', 'bleu'])).toMatchObject({ code: 2, stderr: /not both/ })
  })
})

describe('--format hosts', () => {
  test('prints every host and suffix once, sorted, without a scheme, a path or a placeholder', async () => {
    const hosts = await lines(['--format', 'hosts'])
    expect(hosts).toEqual([...new Set(hosts)].sort())
    expect(hosts.filter((host) => !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host) || host.endsWith('.invalid'))).toEqual([])
    for (const host of ['login.microsoftonline.com', 'sts.windows.net', 'vault.usgovcloudapi.net', 'core.windows.net'])
      expect(hosts).toContain(host)
  })

  test.each(knownClouds.map(({ name }) => name))('--not %s finds nothing in the values of that cloud', async (name) => {
    const hosts = await lines(['--format', 'hosts', '--not', name])
    const own = (await lines(['--format', 'hosts', '--cloud', name])).filter((host) => !/^(?:login|sts)\./.test(host))
    expect(own.filter((value) => hosts.some((host) => value.includes(host)))).toEqual([])
    expect(hosts.length).toBeGreaterThan(100)
  })

  test('grep finds the hosts of other clouds in a source, and passes the source of an application of this cloud', async () => {
    const hosts = await lines(['--format', 'hosts', '--not', 'platform-us-government'])
    const grep = ['-nFf', temp.write('patterns', hosts.join('\n'))]
    const find = (input: string) => spawnSync('grep', grep, { input, encoding: 'utf8' }).stdout
    expect(find("authority: 'https://login.microsoftonline.com/common'")).toContain('1:')
    for (const other of ['.blob.core.windows.net', 'kv.vault.azure.net', 'x.azurecr.io'])
      expect(find(other)).toContain('1:')
    expect(find('login.microsoftonline.us/ https://x.usgovtrafficmanager.net https://storage.azure.com/')).toBe('')
    // A retired graph of both clouds, and an issuer of both.
    expect(find('graph.windows.net sts.windows.net')).toBe('')
  })

  test('it knows the clouds of a folder, and needs no --not without it', async () => {
    temp.write('known/mine.json', { name: 'mine', displayName: 'Mine', portalUrl: 'https://portal.mine.example/' })
    const folder = ['--known-clouds', `${temp.path}/known`]
    expect(await lines(['--format', 'hosts', '--cloud', 'mine', ...folder])).toEqual(['portal.mine.example'])
    const { code, stderr } = await runCommand(['clouds', '--not', 'bleu'])
    expect([code, stderr]).toEqual([2, '--not needs --format hosts\n'])
  })
})
