import { expect, test } from 'vitest'
import { enclaveAuthModes } from 'cloud-profile-enclave/choices'
import type { Command, Said } from './inside.ts'
import { runCommand, runScene, type Network } from './run-scene.ts'

/** The modes that contact something; the platform's tool is a separate process. */
const modes = enclaveAuthModes.filter((mode) => mode !== 'platformCli')
const check = ['smoke-test', '--check-token']
const health: Command = { args: ['health'] }

/** For the message of a failed assertion. */
export const outcomeOf = ({ status, stdout, stderr }: Said) => (status === 0 ? 0 : `${status}\n${stdout}${stderr}`)

/**
 * Tests what the command line does in a network, every surface in turn.
 *
 * @param url The address that a server on loopback prints.
 */
export function testSurfaces(network: Network, url: string): void {
  test.concurrent('acquires a token in every mode', async () => {
    const commands = modes.map((mode): Command => ({ args: check, mode }))
    const said = await runScene(network, { commands })
    expect(said.map(outcomeOf)).toEqual(modes.map(() => 0))
  })

  test.concurrent('acquires a token of a federation service', async () => {
    expect(outcomeOf(await runCommand(network, { args: check }, { federationService: true }))).toBe(0)
  })

  test.concurrent('discovers a cloud, its audience and the way through a proxy', async () => {
    const [discovered, audience, proxied] = await runScene(network, {
      commands: [
        { args: ['discover', '{metadata}'] },
        { args: check, env: { PLATFORM_DISCOVER_AUDIENCE: 'true' } },
        { args: [...check, '--verbose'], env: { HTTPS_PROXY: '{proxy}', PLATFORM_STORAGE_ACCOUNT: 'one' } },
      ],
    })
    expect(discovered).toMatchObject({ status: 0, stdout: expect.stringContaining('"authorityHost"') as string })
    expect(audience?.status).toBe(0)
    expect(proxied?.stdout).toMatch(/ok +storage\.accepts-token/)
  })

  test.concurrent('serves on loopback, and on every address it has, and its health is found', async () => {
    const key = { PLATFORM_HOST_KEY: 'key-for-the-test-of-networks' }
    const open = { PLATFORM_LISTEN_ADDRESS: '[::]', ...key }
    const [local, all] = await runScene(network, {
      commands: [
        { args: ['serve'], during: [health], path: '/api/diagnostics' },
        { args: ['serve'], env: open, during: [{ ...health, env: open }] },
      ],
    })
    expect(local).toMatchObject({ status: 0, stdout: expect.stringContaining(`running on ${url}\n`) as string })
    expect(JSON.parse(local?.body ?? '{}')).toMatchObject({ status: 'ok', token: { status: 'acquired' } })
    for (const said of [local, all]) expect(said?.during.map(outcomeOf)).toEqual([0])
    expect(all?.stdout).toContain('running on http://[::]:3000\n')
  })

  test.concurrent('emulates the metadata endpoint of the cloud, from which the cloud is discovered again', async () => {
    const env = {
      PLATFORM_SERVE_METADATA: 'true',
      PLATFORM_TLS_CERTIFICATE_PATH: '{certificate}',
      PLATFORM_TLS_KEY_PATH: '{key}',
    }
    const host = await runCommand(network, { args: ['serve'], env, during: [{ args: ['discover', '{url}'] }] })
    expect(host).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`${url.replace('http', 'https')}\n`) as string,
    })
    expect(host.during.map(outcomeOf)).toEqual([0])
    expect(JSON.parse(host.during[0]?.stdout ?? '{}')).toMatchObject({
      authorityHost: expect.stringContaining('https://') as string,
    })
  })

  test.concurrent('runs the demo and the enclave, the first commands of README', async () => {
    const [demo, enclave] = await runScene(network, {
      commands: [
        { args: ['demo'], path: '/api/diagnostics' },
        { args: ['enclave', '--shell', 'posix'], during: [] },
      ],
    })
    expect(JSON.parse(demo?.body ?? '{}')).toMatchObject({ status: 'ok' })
    expect(demo?.stdout).toContain(`running on ${url}\n`)
    expect(enclave).toMatchObject({ status: 0, stderr: expect.stringContaining('Enclave running') as string })
  })
}
