import type { Answer } from '../http/answer.ts'
import type { Role, Step } from '../roles.ts'
import type { FaultBoard } from './fault-board.ts'
import { type Fault, type FaultLayer, type FaultTarget, faultTable } from './fault.ts'

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
  if (answer.status !== 200 || role === 'foreign') return answer
  const targets = step === undefined ? [role] : [step, role]
  return targets
    .flatMap((target) => faults.at(target) ?? [])
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
