import type { EnclaveResponse, Role, Step } from '../http/exchange.ts'
import type { Fault, FaultKind, FaultLayer, FaultRole, FaultTarget, JsonObject } from './fault.ts'
import { faultTable } from './fault.ts'

/** A fault and its target. Default is the most common target of the fault. */
export interface FaultSetting {
  readonly fault: Fault
  readonly target?: FaultTarget
}

export type FaultBoard = ReturnType<typeof createFaultBoard>

/** The active faults, at most one for each target. A fault of a step overrides the fault of its role. */
export function createFaultBoard(initial: readonly FaultSetting[] = []) {
  const active = new Map<string, Fault>()

  /**
   * Sets a fault, or with `undefined` clears the fault of a target, or all faults. Returns the roles with changed faults.
   *
   * @throws {RangeError} if the fault does not exist, or does not apply to the target.
   */
  const set = (fault: Fault | undefined, target?: FaultTarget): readonly FaultRole[] => {
    if (fault === undefined) {
      const cleared = target === undefined ? [...active.keys()] : [target]
      for (const each of cleared) active.delete(each)
      return [...new Set(cleared.map(roleOf))]
    }
    if (!Object.hasOwn(faultTable, fault.kind)) {
      throw new RangeError(`There is no fault ${fault.kind}, only ${Object.keys(faultTable).join(', ')}.`)
    }
    const { targets } = faultTable[fault.kind]
    const chosen = target ?? targets[0] ?? ''
    if (!(targets as readonly string[]).includes(chosen)) {
      throw new RangeError(`The fault ${fault.kind} cannot be set on ${chosen}, only on ${targets.join(', ')}.`)
    }
    active.set(chosen, fault)
    return [roleOf(chosen)]
  }
  for (const { fault, target } of initial) set(fault, target)

  const at = (...targets: readonly (Role | Step | undefined)[]): readonly Fault[] =>
    targets.flatMap((target) => (target === undefined ? [] : (active.get(target) ?? [])))
  const isIn =
    (...layers: readonly FaultLayer[]) =>
    ({ kind }: Fault): boolean =>
      layers.includes(faultTable[kind].layer)

  return {
    set,
    atConnection: (role: Role): Fault | undefined => at(role).find(isIn('connection', 'certificate')),
    /** The fault of this kind at the target or its role. */
    find: (kind: FaultKind, target: Role | Step): Fault | undefined =>
      at(target, roleOf(target)).find((fault) => fault.kind === kind),
    editClaims: <Claims extends JsonObject>(claims: Claims, target: FaultTarget): Claims => {
      const changed = at(target).map((fault) => faultTable[fault.kind].claims?.(claims, fault))
      return Object.assign({}, claims, ...changed) as Claims
    },
    /** The response to a request, with the faults of its step and its role. `foreign` is the requested address on the foreign host. */
    respond: async (
      [role, step]: readonly [Role, Step | undefined],
      good: () => EnclaveResponse | Promise<EnclaveResponse>,
      foreign: string,
    ): Promise<EnclaveResponse> => {
      const faults = at(step, role)
      const fault = faults.find(isIn('response'))
      const instead = fault && faultTable[fault.kind].instead?.(fault, foreign)
      if (instead !== undefined) return instead
      const change = (response: EnclaveResponse, each: Fault) =>
        faultTable[each.kind].change?.(response, each, foreign) ?? response
      const response = await good()
      // Faults of the content don't change a refusal.
      const edited = response.status === 200 ? faults.filter(isIn('content')).reduce(change, response) : response
      return fault === undefined ? edited : change(edited, fault)
    },
  }
}

function roleOf(target: string): FaultRole {
  return target.split('/', 1)[0] as FaultRole
}
