import {
  type Fault,
  type FaultChoice,
  type FaultKind,
  type FaultLayer,
  type FaultOf,
  type FaultTarget,
  faultTable,
} from './fault.ts'
import type { Answer } from '../http/route.ts'
import type { FaultRole, Role, Step } from '../roles.ts'

/** A fault and where to set it. Without a target: the first one of the fault's row in `faultTable`. */
export interface FaultSetting {
  readonly fault: FaultChoice
  readonly target?: FaultTarget
}

export type FaultBoard = ReturnType<typeof createFaultBoard>

/** The active faults, one per target. A fault of a step overrides the fault of its role. */
export function createFaultBoard(initial: readonly FaultSetting[] = []) {
  const active = new Map<FaultTarget, Fault>()

  /**
   * Sets or, with `undefined`, clears the fault of a target. `undefined` without a target clears all.
   *
   * @returns The roles whose faults changed.
   * @throws {RangeError} If the fault does not apply there.
   */
  const set = (fault: FaultChoice | undefined, target?: FaultTarget): readonly FaultRole[] => {
    if (fault === undefined) {
      const cleared = target === undefined ? [...active.keys()] : [target]
      for (const each of cleared) active.delete(each)
      return [...new Set(cleared.map(roleOf))]
    }
    if (!Object.hasOwn(faultTable, fault.kind)) {
      throw new RangeError(`There is no fault ${fault.kind}, only ${Object.keys(faultTable).join(', ')}.`)
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
    /** The fault of a connection to the role. */
    atConnection: (role: Role): Fault | undefined => firstOf(['connection', 'certificate'], [faultRoleOf(role)]),
    /** The fault that replaces the answer to a request. */
    inAnswer: (role: Role, step: Step | undefined): Fault | undefined => firstOf(['answer'], [step, faultRoleOf(role)]),
    /** The fault at exactly this target. */
    at: (target: FaultTarget): Fault | undefined => active.get(target),
    /** The fault of this kind at the target or its role. */
    find: <K extends FaultKind>(kind: K, target: FaultTarget): FaultOf<K> | undefined => {
      const found = [target, roleOf(target)].map((each) => active.get(each)).find((fault) => fault?.kind === kind)
      return found as FaultOf<K> | undefined
    },
  }
}

/** No fault can be set on the others. */
function faultRoleOf(role: Role): FaultRole | undefined {
  return role === 'foreign' || role === 'graph' ? undefined : role
}

function roleOf(target: FaultTarget): FaultRole {
  return target.split('/', 1)[0] as FaultRole
}

type JsonObject = Readonly<Record<string, unknown>>
/** A row of the table whose functions accept the fault of that row. */
interface Editor {
  readonly layer: FaultLayer
  readonly fields?: (answer: JsonObject, fault: Fault, foreignOrigin: string) => JsonObject
  readonly claims?: (claims: JsonObject, fault: Fault) => JsonObject
  readonly status?: (fault: Fault) => number
}

/** The type system cannot prove that the row belongs to this fault. */
const editorOf = (fault: Fault): Editor => faultTable[fault.kind] as unknown as Editor

/** Applies the faults of a step and role to a good answer. Other answers pass unchanged. */
export function editAnswer(
  answer: Answer,
  faults: FaultBoard,
  {
    role,
    step,
    foreignOrigin,
  }: { readonly role: Role; readonly step: Step | undefined; readonly foreignOrigin: string },
): Answer {
  if (answer.status !== 200) return answer
  return [step, faultRoleOf(role)]
    .flatMap((target) => (target === undefined ? [] : (faults.at(target) ?? [])))
    .reduce((edited, fault) => edit(edited, fault, foreignOrigin), answer)
}

/** The claims of a token that is requested at the target. */
export function editClaims<Claims extends JsonObject>(claims: Claims, faults: FaultBoard, target: FaultTarget): Claims {
  const fault = faults.at(target)
  return fault === undefined ? claims : { ...claims, ...editorOf(fault).claims?.(claims, fault) }
}

function edit(answer: Answer, fault: Fault, foreignOrigin: string): Answer {
  const { fields, status } = editorOf(fault)
  if (status !== undefined) {
    const body = fault.kind === 'replaced-status' && fault.body !== undefined ? JSON.stringify(fault.body) : answer.body
    return { ...answer, status: status(fault), body }
  }
  if (fields === undefined) return answer
  const body = JSON.parse(String(answer.body)) as JsonObject
  return { ...answer, body: JSON.stringify({ ...body, ...fields(body, fault, foreignOrigin) }) }
}
