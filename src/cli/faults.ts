import { faultTable, type Fault, type FaultKind, type FaultTarget } from '../enclave/faults/fault.ts'
import type { EnclaveAuthMode } from '../enclave/settings.ts'
import { choose } from './command.ts'
import { UsageError } from './exit.ts'
import { formatTable, wrap } from './text.ts'

/** A fault to switch on, and where. */
export interface ChosenFault {
  readonly fault: Fault
  readonly target: FaultTarget
  /** What a person is told about it. */
  readonly name: string
}

const always: readonly FaultTarget[] = [
  'login',
  'login/openid-configuration',
  'resource-manager',
  'resource-manager/metadata',
  'resource-manager/subscriptions',
]
const byDefault: readonly FaultTarget[] = [...always, 'login/token']

/**
 * What the service asks for, and so shows faults of, in the modes that ask the login authority for more or less than a token. Vault and
 * storage are asked for only when they are named.
 */
const asked: Readonly<Partial<Record<EnclaveAuthMode, readonly FaultTarget[]>>> = {
  deviceCode: ['login/device-code', ...byDefault],
  managedIdentity: ['managed-identity', ...always],
  // The tool asks for the token itself.
  platformCli: always,
}

/** What a mode asks for that no other does: a fault is best shown there. */
const own: Readonly<Partial<Record<EnclaveAuthMode, FaultTarget>>> = {
  deviceCode: 'login/device-code',
  managedIdentity: 'managed-identity',
}

const targetsAsked = (mode: EnclaveAuthMode): readonly FaultTarget[] => asked[mode] ?? byDefault

const targetsOf = (kind: FaultKind): readonly FaultTarget[] => faultTable[kind].targets

/** The target of a fault when none is named: what only this mode asks for, else the first one that it asks for. */
function defaultTarget(kind: FaultKind, mode: EnclaveAuthMode): FaultTarget | undefined {
  const targets = targetsOf(kind)
  const best = own[mode]
  return best !== undefined && targets.includes(best)
    ? best
    : targets.find((target) => targetsAsked(mode).includes(target))
}

/**
 * Reads `NAME` or `NAME@TARGET`.
 *
 * @param shown Whether the service in this mode has to show it.
 * @throws {UsageError} when there is no such fault, it cannot be set there, or the mode cannot show it.
 */
export function readFault(text: string, mode: EnclaveAuthMode, shown: boolean): ChosenFault {
  const [kindName = '', targetName] = text.split('@')
  const { kind } = choose('fault', kindName, kinds)
  const targets = targetsOf(kind)
  const named = targetName === undefined ? undefined : targets.find((target) => target === targetName)
  if (targetName !== undefined && named === undefined) {
    throw new UsageError(
      `The fault ${kind} cannot be set at ${JSON.stringify(targetName)}, only at ${targets.join(', ')}`,
    )
  }
  const target = named ?? defaultTarget(kind, mode) ?? (shown ? undefined : targets[0])
  if (target === undefined || (shown && !targetsAsked(mode).includes(target)))
    throw new UsageError(refusal(kind, named, mode))
  return { fault: withParameters(kind), target, name: `${kind} at ${target}: ${faultTable[kind].effect}` }
}

const kinds: Readonly<Record<string, { readonly kind: FaultKind }>> = Object.fromEntries(
  Object.keys(faultTable).map((kind) => [kind, { kind: kind as FaultKind }]),
)

function refusal(kind: FaultKind, named: FaultTarget | undefined, mode: EnclaveAuthMode): string {
  const here = targetsOf(kind).filter((target) => targetsAsked(mode).includes(target))
  const modes = Object.entries(asked).filter(([, targets]) =>
    (named === undefined ? targetsOf(kind) : [named]).some((target) => targets.includes(target)),
  )
  const hints = [
    ...(here.length === 0 ? [] : [`with this mode it shows at ${here.join(', ')}`]),
    ...(modes.length === 0 ? [] : [`it shows with --mode ${modes.map(([name]) => name).join(', ')}`]),
  ]
  const where = named === undefined ? '' : ` at ${named}`
  return `The fault ${kind}${where} cannot be seen with --mode ${mode}${hints.length === 0 ? '' : `: ${hints.join('; ')}`}`
}

/** A fault with something telling for what it must be told. */
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

/** Every fault: its name with the target it has by default in a mode, what it does, and where else the mode shows it. */
export function listFaults(mode: EnclaveAuthMode, width: number): string {
  const rows = Object.entries(faultTable).map(([kind, { effect, targets }]) => {
    const target = defaultTarget(kind as FaultKind, mode)
    return [
      `${kind}${target === undefined ? '' : `@${target}`}`,
      target === undefined ? `${effect} (not seen with this mode)` : effect,
      targets.filter((each) => each !== target && targetsAsked(mode).includes(each)).join(', '),
    ]
  })
  return `${formatTable(['Fault', 'Effect', 'Also at'], rows, width)}\n${wrap(`The targets are those that the service asks with --mode ${mode}.`, width)}\n`
}
