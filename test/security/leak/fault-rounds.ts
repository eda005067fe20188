import {
  faultTable,
  type EnclaveAuthMode,
  type FaultChoice,
  type FaultKind,
  type FaultTarget,
} from '../../../src/enclave/enclave.ts'

/** One fault and where it is set; `undefined` for a cloud without a fault. */
export interface FaultRound {
  readonly title: string
  readonly fault: FaultChoice | undefined
  readonly target: FaultTarget | undefined
}

/** The steps at which a secret of each mode is under way, and of two kinds of token, their way to a service. */
function secretStepsOf(mode: EnclaveAuthMode): readonly FaultTarget[] {
  if (mode === 'deviceCode') return ['login/token', 'login/device-code', 'resource-manager/subscriptions']
  return mode === 'clientSecret' ? ['login/token', 'resource-manager/subscriptions'] : ['login/token']
}

/** Faults that only a deadline ends. */
const slow: ReadonlySet<FaultKind> = new Set(['silent', 'slow-drip'])

/** Every fault at its first place, and at each step of the mode where a secret is under way. */
export function faultRoundsOf(mode: EnclaveAuthMode): FaultRound[] {
  const rounds: FaultRound[] = [{ title: 'no fault', fault: undefined, target: undefined }]
  for (const kind of Object.keys(faultTable) as FaultKind[]) {
    const targets: readonly FaultTarget[] = faultTable[kind].targets
    const chosen = targets.filter((target, index) => index === 0 || secretStepsOf(mode).includes(target))
    // While a person signs in, a request has its own five seconds: too long to wait for what other modes show as well.
    const quick = chosen.filter((target) => mode !== 'deviceCode' || !slow.has(kind) || target !== 'login/token')
    for (const target of quick) rounds.push({ title: `${kind} at ${target}`, fault: { kind }, target })
  }
  return rounds
}
