import type { FaultRole, Role, Step } from '../roles.ts'
import {
  type Fault,
  type FaultChoice,
  type FaultKind,
  type FaultLayer,
  type FaultOf,
  type FaultTarget,
  faultTable,
} from './fault.ts'

/** A fault and where to set it. Without a target: the first one of the fault's row in `faultTable`. */
export interface FaultSetting {
  readonly fault: FaultChoice
  readonly target?: FaultTarget
}

/** The active faults, one per target. A fault of a step overrides the fault of its role. */
export interface FaultBoard {
  /**
   * Sets or, with `undefined`, clears the fault of a target. `undefined` without a target clears all.
   *
   * @returns The roles whose faults changed.
   * @throws {RangeError} If the fault does not apply there.
   */
  set(fault: FaultChoice | undefined, target?: FaultTarget): readonly FaultRole[]
  /** The fault that decides about a connection to the role. */
  atConnection(role: Role): Fault | undefined
  /** The fault that replaces the answer to a request. */
  inAnswer(role: Role, step: Step | undefined): Fault | undefined
  /** The fault that is on at exactly this target. */
  at(target: FaultTarget): Fault | undefined
  /** The fault of the given kind, when it is on at the target or its role. */
  find<K extends FaultKind>(kind: K, target: FaultTarget): FaultOf<K> | undefined
}

export function createFaultBoard(initial: readonly FaultSetting[] = []): FaultBoard {
  const active = new Map<FaultTarget, Fault>()

  const set = (fault: FaultChoice | undefined, target?: FaultTarget): readonly FaultRole[] => {
    if (fault === undefined) {
      const cleared = target === undefined ? [...active.keys()] : [target]
      for (const each of cleared) active.delete(each)
      return [...new Set(cleared.map(roleOf))]
    }
    const { targets } = faultTable[fault.kind]
    const chosen = target ?? targets[0]
    if (!(targets as readonly FaultTarget[]).includes(chosen)) {
      throw new RangeError(`The fault ${fault.kind} cannot be set on ${chosen}, only on ${targets.join(', ')}.`)
    }
    active.set(chosen, fault as Fault)
    return [roleOf(chosen)]
  }

  const firstOf = (layers: readonly FaultLayer[], targets: readonly (FaultTarget | undefined)[]): Fault | undefined =>
    targets
      .map((target) => (target === undefined ? undefined : active.get(target)))
      .find((fault) => fault !== undefined && layers.includes(faultTable[fault.kind].layer))

  for (const { fault, target } of initial) set(fault, target)
  return {
    set,
    atConnection: (role) => (role === 'foreign' ? undefined : firstOf(['connection', 'certificate'], [role])),
    inAnswer: (role, step) => (role === 'foreign' ? undefined : firstOf(['answer'], [step, role])),
    at: (target) => active.get(target),
    find: (kind, target) => {
      const found = [target, roleOf(target)].map((each) => active.get(each)).find((fault) => fault?.kind === kind)
      return found as FaultOf<typeof kind> | undefined
    },
  }
}

function roleOf(target: FaultTarget): FaultRole {
  return target.split('/', 1)[0] as FaultRole
}
