import type { Symptom } from './symptoms.ts'

/** A fix that names values. It applies only when all of them are known. */
export interface ConcreteFix {
  /** Name of further evidence that must be known, or the AUTH_MODE that must be in force. */
  readonly when?: string
  /** Text of the fix, where `{name}` stands for a value. */
  readonly fix: string
}

/** The cause and the fix of a code, for an operator. */
export interface Finding {
  /** A noun phrase in sentence case, without a final period. */
  readonly title: string
  /** Why it happens, in at most 200 characters. */
  readonly cause: string
  /** The change to make, in at most 240 characters: begins with a verb, and names the variable, field, file or command. */
  readonly fix: string
  /** Fixes that name values, best first. The first whose values are all known wins over `fix`. */
  readonly fixes?: readonly ConcreteFix[]
  /** The token is at fault and a later one may be valid, so it is not cached until it expires. */
  readonly tokenAtFault?: true
  /** Symptoms in the specification that this code covers. */
  readonly symptoms?: readonly Symptom[]
}
