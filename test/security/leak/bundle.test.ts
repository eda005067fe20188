import { createPrivateKey } from 'node:crypto'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtService } from '../../support/build.ts'
import { deadlineFor } from '../../support/deadline-for.ts'
import { startCommand } from '../../support/start-command.ts'
import { useProcesses } from '../../support/processes.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { openEnclave, type OpenedEnclave } from '../../support/use-enclave.ts'
import { bundleRows, type BundleRow } from './bundle-rows.ts'
import { callerSecrets, callService } from './call-service.ts'
import { enclaveSecrets } from './enclave-secrets.ts'
import { findLeaks } from './find-leaks.ts'
import { createLeakDetector, privateKeyLines, type KnownSecret } from './leak-detector.ts'
import type { Output } from './observe.ts'
import { collectWireSecrets } from './wire-secrets.ts'

const directory = useTemporaryDirectory()
const processes = useProcesses()
const toolToken = 'h.e30.planted-tool-token-signature-Fp52Zr90'
const planted: Readonly<Record<string, string>> = {
  ...callerSecrets,
  'certificate password': 'planted-certificate-password-Kx13Eb6',
  'tool token': toolToken,
}

// What `npm start` serves, as a process: every answer, and all that it writes.
describe('the built service, with verbose logs', () => {
  const wire = collectWireSecrets()
  let opened: OpenedEnclave | undefined
  const secrets: KnownSecret[] = Object.entries(planted).map(([name, value]) => ({ name, value }))

  beforeAll(async () => {
    opened = await openEnclave({ deviceCode: { intervalSeconds: 0.05 } })
    const { enclave, files } = opened
    secrets.push(...enclaveSecrets(enclave, files))
    const encrypted = encryptKey(enclave.clientCertificatePem, planted['certificate password'] ?? '')
    secrets.push(...privateKeyLines(encrypted))
    writeFileSync(files.clientCertificatePath, encrypted)
  })
  afterAll(async () => {
    wire.restore()
    await opened?.close()
  })

  const serve = async ({ mode, fault, tool, token: wanted }: BundleRow) => {
    if (opened === undefined) throw new Error('There is no enclave')
    const { enclave: cloud, files } = opened
    await cloud.setFault(undefined)
    if (fault !== undefined) await cloud.setFault(...fault)
    const service = processes.start(startCommand, {
      cwd: builtService().project,
      env: {
        ...cloud.environment(mode, files),
        ...(tool === undefined ? {} : { PATH: `${installTool(tool)}:/usr/bin:/bin` }),
        PLATFORM_CLIENT_CERTIFICATE_PASSWORD: planted['certificate password'],
        PLATFORM_HOST_KEY: callerSecrets['function key'],
        PLATFORM_LOG_LEVEL: 'verbose',
        // The least that the variable takes.
        PLATFORM_TOKEN_TIMEOUT_MS: String(deadlineFor(wanted, 1000)),
        SMOKE_TEST_CHECK_TOKEN: 'true',
        PORT: '0',
      },
    })
    const [, origin = ''] = await service.printed(/Server running on (\S+)/)
    const { token, outputs } = await callService(origin, ({ userCode }) => cloud.approveDeviceCode(userCode))
    service.signal('SIGTERM')
    const { stdout, stderr } = await service.ended
    const written: Output[] = [
      { where: 'stdout', text: stdout },
      { where: 'stderr', text: stderr },
    ]
    return { token, outputs: [...outputs, ...written] }
  }

  test.each(bundleRows.map((row) => [row.mode, row.title, row] as const))(
    '%s with %s shows no secret in any answer or output',
    async (_mode, title, row) => {
      const { token, outputs } = await serve(row)
      expect(token).toBe(row.token)
      const detector = createLeakDetector([...secrets, ...wire.secrets])
      expect(
        findLeaks(
          outputs.map((output) => ({ title, ...output })),
          detector,
        ),
      ).toEqual([])
      const stderr = outputs.find(({ where }) => where === 'stderr')?.text
      // The tool is run without the library, which then has nothing to log.
      const logged = ['"event":"token"', ...(row.mode === 'platformCli' ? [] : ['azure:identity'])]
      for (const text of logged) expect(stderr).toContain(text)
    },
  )
})

test('a start that fails shows no password of an address', async () => {
  const env = {
    PLATFORM_CLOUD: 'platform-us-government',
    PLATFORM_AUTHORITY_HOST: `https://operator:${callerSecrets['caller token']}@login.enclave.test/`,
    CUSTOM_CLOUD_PROFILE_PATH: '',
    PORT: '0',
  }
  const { code, stdout, stderr } = await processes.run(startCommand, {
    cwd: builtService().project,
    env,
  })
  expect(code).toBe(2)
  expect(stderr).toContain('PLATFORM_AUTHORITY_HOST')
  expect(stdout + stderr).not.toContain(callerSecrets['caller token'])
})

function encryptKey(pem: string, passphrase: string): string {
  const key = createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
  return pem.replace(/-----BEGIN PRIVATE KEY[^]*$/, String(key))
}

function installTool(script: string): string {
  const tools = join(directory.path, 'tools')
  mkdirSync(tools, { recursive: true })
  writeFileSync(join(tools, 'az'), `#!/bin/sh\n${script.replaceAll('TOKEN', toolToken)}\n`)
  chmodSync(join(tools, 'az'), 0o755)
  return tools
}
