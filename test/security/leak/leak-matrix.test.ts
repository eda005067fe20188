import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CertificateAuthority, createCertificateAuthority } from 'cloud-profile-enclave/enclave'
import { type FaultChoice, type FaultKind, faultTable, type FaultTarget } from 'cloud-profile-enclave/enclave'
import type { EnclaveAuthMode } from 'cloud-profile-enclave/enclave'
import { trust } from '../../support/trust.ts'
import { openEnclave } from '../../support/use-enclave.ts'
import { createLeakDetector, enclaveSecrets, findLeaks, type KnownSecret } from './leak-detector.ts'
import { type Observation, observeCredential, observeService, type Output } from './observe.ts'
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

/**
 * The modes that keep their state in this process, and what must have been under way in each for its silence to mean anything. bundle.test.ts
 * tests managed identity, whose state belongs to the process, and the command-line tool.
 */
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

interface Round {
  readonly title: string
  readonly service: Observation
  readonly credential: Observation
}

interface ModeRun {
  readonly rounds: readonly Round[]
  readonly secrets: readonly KnownSecret[]
}

/** Every fault once, each time with a service and a credential that know nothing yet. */
async function runFaults(mode: Mode, ca: CertificateAuthority): Promise<ModeRun> {
  const { enclave, files, close } = await openEnclave({ ca, deviceCode: { intervalSeconds: 0.05 } })
  try {
    const limits = { PLATFORM_LOG_LEVEL: 'verbose', PLATFORM_TOKEN_TIMEOUT_MS: '1000' }
    const env = { ...enclave.environment(mode, files), ...limits }
    const approve = ({ userCode }: { readonly userCode: string }) => enclave.approveDeviceCode(userCode)
    const rounds: Round[] = []
    for (const { title, fault, target } of faultRoundsOf(mode)) {
      // The chain ends in the same credential; what differs is that it has come through the chain.
      if (mode === 'default' && target !== undefined && target !== 'login/token') continue
      await enclave.setFault(fault, target)
      // Without a fault a busy machine may take its time. With one the attempt must end by its deadline.
      const observed = fault === undefined ? { ...env, PLATFORM_TOKEN_TIMEOUT_MS: '10000' } : env
      const watched = [observeService(observed, approve), observeCredential(observed, approve)] as const
      const [service, credential] = await Promise.all(watched)
      rounds.push({ title, service, credential })
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
  const runs = new Map<Mode, ModeRun>()
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

  const runOf = (mode: Mode) => runs.get(mode) ?? { rounds: [], secrets: [] }
  const outputsOf = (mode: Mode): (Output & { readonly title: string })[] =>
    runOf(mode).rounds.flatMap(({ title, service, credential }) =>
      [...service.outputs, ...credential.outputs].map((output) => ({ title, ...output })),
    )

  test.each(modes)('%s shows no secret in any report, page, log line or error', (mode) => {
    expect(findLeaks(outputsOf(mode), detector)).toEqual([])
  })

  test.each(modes)('%s was watched while its secrets were under way, and showed something of everything', (mode) => {
    const { rounds } = runOf(mode)
    expect(rounds.length).toBeGreaterThan(mode === 'default' ? 20 : 45)
    const acquired = { token: 'acquired' }
    expect(rounds[0]).toMatchObject({ title: 'no fault', service: acquired, credential: acquired })
    const places = new Set(outputsOf(mode).map(({ where }) => where))
    expect(places).toEqual(new Set(['report', 'page', 'health', 'log', 'error']))
    expect(outputsOf(mode).some(({ text }) => text.startsWith('azure:'))).toBe(true)
    const names = wire.secrets.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['access_token', 'authorization header', ...onTheWire[mode]]))
  })
})
