import { createPrivateKey } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EnclaveAuthMode } from 'cloud-profile-enclave/enclave'
import type { DiagnosticsReport } from '../../../src/lib/diagnostics/report.ts'
import { useProcesses } from '../../support/processes.ts'
import { inBuiltProject, startCommand } from '../../support/start-command.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { type OpenedEnclave, openEnclave } from '../../support/use-enclave.ts'
import { createLeakDetector, enclaveSecrets, findLeaks, type KnownSecret, privateKeyLines } from './leak-detector.ts'
import type { Output } from './observe.ts'
import { collectWireSecrets } from './wire-secrets.ts'

const tool = `echo '{"accessToken":"TOKEN","expires_on":4102444800}'`
const failingTool = `echo '{"accessToken":"TOKEN"}'; echo 'ERROR: TOKEN' >&2; exit 1`

/** Starts of the deployed service: a mode, the end of its attempt, and the script of the command-line tool (`TOKEN` stands for a token). */
const rows: [EnclaveAuthMode, token: string, script?: string][] = [
  ['clientCertificate', 'acquired'],
  ['managedIdentity', 'acquired'],
  ['platformCli', 'acquired', tool],
  ['platformCli', 'CLI_FAILED', failingTool],
]

/** Secrets of a caller: they come with each request, and must not come out again. */
const [functionKey, cookie, callerToken] = ['function-key-Bn74Xw20', 'cookie-Jd61Mv88', 'token-Ys35Gt47'].map(
  (text) => `planted-caller-${text}`,
) as [string, string, string]

/** Sends every kind of request to a running service, as callers and monitors do. */
async function callService(origin: string) {
  const outputs: Output[] = []
  const session = { cookie: `session=${cookie}`, authorization: `Bearer ${callerToken}` }
  const headers = { 'x-functions-key': functionKey, ...session }
  const key = `code=${functionKey}`
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(path, origin), { redirect: 'manual', headers, ...init })
    const text = await response.text()
    const shown = `${path.replace(key, '')} ${JSON.stringify([...response.headers])}\n${text}`
    outputs.push({ where: 'answer', text: shown })
    return text
  }
  const report = async () => JSON.parse(await ask(`/api/diagnostics?explain=true&${key}`)) as DiagnosticsReport

  let found = await report()
  for (const path of [`/?${key}`, '/api/profile', '/api/health', `/api/nothing?${key}`]) await ask(path)
  await ask('/', { method: 'HEAD' })
  await ask(`/api/diagnostics?${key}`, { method: 'POST', body: callerToken })
  // The timer requests the token too (SMOKE_TEST_CHECK_TOKEN). When its run is in the report, it has ended.
  const run = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{"input":""}' }
  await ask('/admin/functions/smokeTest', run)
  for (; found.smokeTest === null; found = await report()) await sleep(20)
  return { token: found.token.error?.code ?? found.token.status, outputs }
}

const directory = useTemporaryDirectory()
const processes = useProcesses()
const toolToken = 'h.e30.planted-tool-token-signature-Fp52Zr90'
const certificatePassword = 'planted-certificate-password-Kx13Eb6'
const planted = { functionKey, cookie, callerToken, certificatePassword, toolToken }

// The process that `npm start` runs: every response, and everything that it writes.
describe('the built service, with verbose logs', () => {
  const wire = collectWireSecrets()
  let opened: OpenedEnclave | undefined
  const secrets: KnownSecret[] = Object.entries(planted).map(([name, value]) => ({ name, value }))

  beforeAll(async () => {
    opened = await openEnclave()
    const { enclave, files } = opened
    secrets.push(...enclaveSecrets(enclave, files))
    const encrypted = encryptKey(enclave.clientCertificatePem, certificatePassword)
    secrets.push(...privateKeyLines(encrypted))
    writeFileSync(files.clientCertificatePath, encrypted)
  })
  afterAll(async () => {
    wire.restore()
    await opened?.close()
  })

  test.each(rows)('%s, %s: no response and no output shows a secret', async (mode, wanted, script) => {
    const { enclave, files } = opened as OpenedEnclave
    const env = {
      ...enclave.environment(mode, files),
      ...(script === undefined ? {} : { PATH: `${installTool(script)}:/usr/bin:/bin` }),
      PLATFORM_CLIENT_CERTIFICATE_PASSWORD: certificatePassword,
      PLATFORM_HOST_KEY: functionKey,
      PLATFORM_LOG_LEVEL: 'verbose',
      SMOKE_TEST_CHECK_TOKEN: 'true',
    }
    const service = processes.start(startCommand, inBuiltProject(env))
    const [, origin = ''] = await service.printed(/Server running on (\S+)/)
    const { token, outputs } = await callService(origin)
    service.signal('SIGTERM')
    const { stdout, stderr } = await service.ended
    expect(token).toBe(wanted)
    const written: Output[] = [...outputs, { where: 'stdout', text: stdout }, { where: 'stderr', text: stderr }]
    const titled = written.map((output) => ({ title: mode, ...output }))
    expect(findLeaks(titled, createLeakDetector([...secrets, ...wire.secrets]))).toEqual([])
    // The tool is run without the library, which then has nothing to log.
    const logged = ['"event":"token"', ...(mode === 'platformCli' ? [] : ['azure:identity'])]
    for (const text of logged) expect(stderr).toContain(text)
  })
})

function encryptKey(pem: string, passphrase: string): string {
  const key = createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
  return pem.replace(/-----BEGIN PRIVATE KEY[^]*$/, String(key))
}

function installTool(script: string): string {
  const tool = directory.write('tools/az', `#!/bin/sh\n${script.replaceAll('TOKEN', toolToken)}\n`)
  chmodSync(tool, 0o755)
  return dirname(tool)
}
