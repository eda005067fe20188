import type { Symptom } from './symptoms.ts'

/** A fix that is written when values are known. */
export interface ConcreteFix {
  /** Names of evidence that must be known besides those that the text has. */
  readonly when?: string
  /** As a fix; `{name}` stands for the value of that name. */
  readonly fix: string
}

/** What a code means to an operator. */
export interface Finding {
  /** A noun phrase, as a heading. */
  readonly title: string
  /** Why it happens, in at most 200 characters. */
  readonly cause: string
  /** The one change that helps, with its variable, field, file or command, in at most 240 characters. */
  readonly fix: string
  /** Fixes that name values, best first: one is taken when all that it needs is known. */
  readonly fixes?: readonly ConcreteFix[]
  /** The token itself is at fault, and a later one may be sound: it is not kept to its end. */
  readonly tokenAtFault?: true
  /** The known symptoms it stands for. */
  readonly symptoms?: readonly Symptom[]
}
