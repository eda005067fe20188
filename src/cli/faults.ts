import { showValue } from '../lib/base/printable.ts'
import { faultTable, type Fault, type FaultKind, type FaultTarget } from '../enclave/faults/fault.ts'
import type { EnclaveAuthMode } from '../enclave/environment.ts'
import { choose } from './command.ts'
import { UsageError } from './exit.ts'
import { formatTable, wrap } from './text.ts'

/** A fault and its target. */
export interface ChosenFault {
  readonly fault: Fault
  readonly target: FaultTarget
  /** Whether the service contacts the target in this mode. */
  readonly isVisible: boolean
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

/** The default target of a fault: the endpoint that only this mode contacts, else the first that it contacts. */
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
    throw new UsageError(`The fault ${kind} does not apply to ${showValue(targetName)}, only to ${targets.join(', ')}`)
  }
  const target = named ?? defaultTarget(kind, mode) ?? (mustShow ? undefined : targets[0])
  if (target === undefined || (mustShow && !targetsOfMode(mode).includes(target)))
    throw new UsageError(refusal(kind, named, mode))
  const isVisible = targetsOfMode(mode).includes(target)
  return { fault: withParameters(kind), target, isVisible, title: `${kind} at ${target}: ${faultTable[kind].effect}` }
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

/**
 * A table of the faults: default target in the mode, effect, and other targets of the mode.
 *
 * @param onlyVisible Whether faults are left out that the service cannot detect in the mode.
 */
export function listFaults(mode: EnclaveAuthMode, width: number, onlyVisible: boolean): string {
  const kinds = Object.keys(faultTable) as FaultKind[]
  const visible = kinds.filter((kind) => defaultTarget(kind, mode) !== undefined)
  const row = (kind: FaultKind, target: FaultTarget, others: readonly FaultTarget[]) => [
    `${kind}@${target}`,
    faultTable[kind].effect,
    others.filter((each) => each !== target).join(', '),
  ]
  const rows = visible.map((kind) => {
    const here = targetsOf(kind).filter((target) => targetsOfMode(mode).includes(target))
    return row(kind, defaultTarget(kind, mode) ?? here[0] ?? targetsOf(kind)[0] ?? 'login', here)
  })
  const others = onlyVisible ? [] : kinds.filter((kind) => !visible.includes(kind))
  const otherRows = others.map((kind) => row(kind, targetsOf(kind)[0] ?? 'login', targetsOf(kind)))
  const head = ['Fault', 'Effect', 'Also at']
  const intro = (text: string) => `${wrap(text, width)}\n`
  return [
    formatTable(head, rows, width),
    intro(`\nThe service contacts these targets with --mode ${mode}.`),
    ...(otherRows.length === 0
      ? []
      : [intro('\nOnly other clients of the enclave see these:\n'), formatTable(head, otherRows, width)]),
  ].join('')
}
