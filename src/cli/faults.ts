import { faultTable, type Fault, type FaultKind, type FaultTarget } from '../enclave/faults/fault.ts'
import type { EnclaveAuthMode } from '../enclave/settings.ts'
import { choose } from './command.ts'
import { UsageError } from './exit.ts'
import { formatTable, wrap } from './text.ts'

/** A fault and its target. */
export interface ChosenFault {
  readonly fault: Fault
  readonly target: FaultTarget
  /** Kind, target and effect, for people. */
  readonly title: string
}

const always: readonly FaultTarget[] = [
  'login',
  'login/openid-configuration',
  'resource-manager',
  'resource-manager/metadata',
  'resource-manager/subscriptions',
]
const byDefault: readonly FaultTarget[] = [...always, 'login/token']

/** The targets that the service contacts, for the modes that differ from the default. It contacts vault and storage only if they are set. */
const targetsByMode: Readonly<Partial<Record<EnclaveAuthMode, readonly FaultTarget[]>>> = {
  deviceCode: ['login/device-code', ...byDefault],
  managedIdentity: ['managed-identity', ...always],
  // The tool acquires the token itself.
  platformCli: always,
}

/** The target that only this mode contacts: the best default. */
const ownTarget: Readonly<Partial<Record<EnclaveAuthMode, FaultTarget>>> = {
  deviceCode: 'login/device-code',
  managedIdentity: 'managed-identity',
}

const targetsOfMode = (mode: EnclaveAuthMode): readonly FaultTarget[] => targetsByMode[mode] ?? byDefault

const targetsOf = (kind: FaultKind): readonly FaultTarget[] => faultTable[kind].targets

/** The target of a fault if none is named: the one that only this mode contacts, else the first that it contacts. */
function defaultTarget(kind: FaultKind, mode: EnclaveAuthMode): FaultTarget | undefined {
  const targets = targetsOf(kind)
  const best = ownTarget[mode]
  return best !== undefined && targets.includes(best)
    ? best
    : targets.find((target) => targetsOfMode(mode).includes(target))
}

/**
 * Reads `NAME` or `NAME@TARGET`.
 *
 * @param mustShow Whether the service must detect it in this mode.
 * @throws {UsageError} if the fault does not exist, does not apply to the target, or has no effect in this mode.
 */
export function readFault(text: string, mode: EnclaveAuthMode, mustShow: boolean): ChosenFault {
  const [kindName = '', targetName] = text.split('@')
  const { kind } = choose('fault', kindName, kinds)
  const targets = targetsOf(kind)
  const named = targetName === undefined ? undefined : targets.find((target) => target === targetName)
  if (targetName !== undefined && named === undefined) {
    throw new UsageError(
      `The fault ${kind} does not apply to ${JSON.stringify(targetName)}, only to ${targets.join(', ')}`,
    )
  }
  const target = named ?? defaultTarget(kind, mode) ?? (mustShow ? undefined : targets[0])
  if (target === undefined || (mustShow && !targetsOfMode(mode).includes(target)))
    throw new UsageError(refusal(kind, named, mode))
  return { fault: withParameters(kind), target, title: `${kind} at ${target}: ${faultTable[kind].effect}` }
}

const kinds: Readonly<Record<string, { readonly kind: FaultKind }>> = Object.fromEntries(
  Object.keys(faultTable).map((kind) => [kind, { kind: kind as FaultKind }]),
)

function refusal(kind: FaultKind, named: FaultTarget | undefined, mode: EnclaveAuthMode): string {
  const here = targetsOf(kind).filter((target) => targetsOfMode(mode).includes(target))
  const modes = Object.entries(targetsByMode).filter(([, targets]) =>
    (named === undefined ? targetsOf(kind) : [named]).some((target) => targets.includes(target)),
  )
  const hints = [
    ...(here.length === 0 ? [] : [`with this mode it applies to ${here.join(', ')}`]),
    ...(modes.length === 0 ? [] : [`it has an effect with --mode ${modes.map(([name]) => name).join(', ')}`]),
  ]
  const where = named === undefined ? '' : ` at ${named}`
  return `The fault ${kind}${where} has no effect with --mode ${mode}${hints.length === 0 ? '' : `: ${hints.join('; ')}`}`
}

/** Faults with parameters that show their effect best. */
function withParameters(kind: FaultKind): Fault {
  switch (kind) {
    case 'aadsts':
      return { kind, number: 50049, error: 'invalid_instance' }
    case 'clock-skew':
      return { kind, seconds: 900 }
    default:
      return { kind } as Fault
  }
}

/** A table of all faults: default target in the mode, effect, and other targets of the mode. */
export function listFaults(mode: EnclaveAuthMode, width: number): string {
  const rows = Object.entries(faultTable).map(([kind, { effect, targets }]) => {
    const target = defaultTarget(kind as FaultKind, mode)
    return [
      `${kind}${target === undefined ? '' : `@${target}`}`,
      target === undefined ? `${effect} (no effect with this mode)` : effect,
      targets.filter((each) => each !== target && targetsOfMode(mode).includes(each)).join(', '),
    ]
  })
  return `${formatTable(['Fault', 'Effect', 'Also at'], rows, width)}\n${wrap(`The targets are those that the service contacts with --mode ${mode}.`, width)}\n`
}
