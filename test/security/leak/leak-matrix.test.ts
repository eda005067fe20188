import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCertificateAuthority, faultTable, type CertificateAuthority } from 'cloud-profile-enclave/enclave'
import type { EnclaveAuthMode, FaultChoice, FaultKind, FaultTarget } from 'cloud-profile-enclave/enclave'
import { trust } from '../../support/trust.ts'
import { openEnclave } from '../../support/use-enclave.ts'
import { createLeakDetector, enclaveSecrets, findLeaks } from './leak-detector.ts'
import { observeCredential, observeService } from './observe.ts'
import { collectWireSecrets } from './wire-secrets.ts'

/** The steps at which a secret of each mode is under way, and of two kinds of token, their way to a service. */
function secretStepsOf(mode: EnclaveAuthMode): readonly FaultTarget[] {
  if (mode === 'deviceCode') return ['login/token', 'login/device-code', 'resource-manager/subscriptions']
  return mode === 'clientSecret' ? ['login/token', 'resource-manager/subscriptions'] : ['login/token']
}

/** Faults that only a deadline ends. */
const slow: ReadonlySet<FaultKind> = new Set(['silent', 'slow-drip'])

/** Every fault at its first place, and at each step of the mode where a secret is under way. */
function faultRoundsOf(mode: EnclaveAuthMode) {
  const rounds: { title: string; fault?: FaultChoice; target?: FaultTarget }[] = [{ title: 'no fault' }]
  for (const kind of Object.keys(faultTable) as FaultKind[]) {
    const targets: readonly FaultTarget[] = faultTable[kind].targets
    const chosen = targets.filter((target, index) => index === 0 || secretStepsOf(mode).includes(target))
    // While a person signs in, a request has its own five seconds: too long to wait for what other modes show as well.
    const quick = chosen.filter((target) => mode !== 'deviceCode' || !slow.has(kind) || target !== 'login/token')
    for (const target of quick) rounds.push({ title: `${kind} at ${target}`, fault: { kind }, target })
  }
  return rounds
}

/** The modes that keep their state in this process, and what must have been under way in each. bundle.test.ts has the others. */
const onTheWire = {
  clientSecret: ['client_secret'],
  clientCertificate: ['client_assertion'],
  workloadIdentity: ['client_assertion'],
  deviceCode: ['device_code', 'refresh_token', 'id_token'],
  usernamePassword: ['password', 'refresh_token', 'id_token'],
  default: ['client_secret'],
} as const satisfies Partial<Record<EnclaveAuthMode, readonly string[]>>

type Mode = keyof typeof onTheWire
const modes = Object.keys(onTheWire) as Mode[]

/** Every fault once, each time with a service and a credential that know nothing yet. */
async function runFaults(mode: Mode, ca: CertificateAuthority) {
  const { enclave, files, close } = await openEnclave({ ca, deviceCode: { intervalSeconds: 0.05 } })
  try {
    const limits = { PLATFORM_LOG_LEVEL: 'verbose', PLATFORM_TOKEN_TIMEOUT_MS: '1000' }
    const env = { ...enclave.environment(mode, files), ...limits }
    const approve = ({ userCode }: { readonly userCode: string }) => enclave.approveDeviceCode(userCode)
    const rounds: { title: string; tokens: string[]; outputs: Parameters<typeof findLeaks>[0] }[] = []
    for (const { title, fault, target } of faultRoundsOf(mode)) {
      // The chain ends in the same credential; what differs is that it has come through the chain.
      if (mode === 'default' && target !== undefined && target !== 'login/token') continue
      await enclave.setFault(fault, target)
      // Without a fault a busy machine may take its time. With one the attempt must end by its deadline.
      const observed = fault === undefined ? { ...env, PLATFORM_TOKEN_TIMEOUT_MS: '10000' } : env
      const watched = [observeService(observed, approve), observeCredential(observed, approve)] as const
      const [service, credential] = await Promise.all(watched)
      const outputs = [...service.outputs, ...credential.outputs].map((output) => ({ title, ...output }))
      rounds.push({ title, tokens: [service.token, credential.token], outputs })
      await enclave.setFault(undefined)
    }
    return { rounds, secrets: enclaveSecrets(enclave, files) }
  } finally {
    await close()
  }
}

describe('with verbose logs, under every fault of the cloud', () => {
  const wire = collectWireSecrets()
  let distrust: () => void
  const runs = new Map<Mode, Awaited<ReturnType<typeof runFaults>>>()
  let detector = createLeakDetector([])

  beforeAll(async () => {
    const ca = await createCertificateAuthority()
    distrust = trust(ca.certificatePem)
    await Promise.all(modes.map(async (mode) => runs.set(mode, await runFaults(mode, ca))))
    detector = createLeakDetector([...[...runs.values()].flatMap(({ secrets }) => secrets), ...wire.secrets])
  })
  afterAll(() => {
    wire.restore()
    distrust()
  })

  const roundsOf = (mode: Mode) => runs.get(mode)?.rounds ?? []
  const outputsOf = (mode: Mode) => roundsOf(mode).flatMap(({ outputs }) => outputs)

  test.each(modes)('%s shows no secret in any report, page, log line or error', (mode) => {
    expect(findLeaks(outputsOf(mode), detector)).toEqual([])
  })

  test.each(modes)('%s was watched while its secrets were under way, and showed something of everything', (mode) => {
    const rounds = roundsOf(mode)
    expect(rounds.length).toBeGreaterThan(mode === 'default' ? 20 : 45)
    expect(rounds[0]).toMatchObject({ title: 'no fault', tokens: ['acquired', 'acquired'] })
    const places = new Set(outputsOf(mode).map(({ where }) => where))
    expect(places).toEqual(new Set(['report', 'page', 'health', 'log', 'error']))
    expect(outputsOf(mode).some(({ text }) => text.startsWith('azure:'))).toBe(true)
    const names = wire.secrets.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['access_token', 'authorization header', ...onTheWire[mode]]))
  })
})
