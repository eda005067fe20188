import type { Symptom } from './symptoms.ts'

/** What a code means to an operator. */
export interface Finding {
  /** A noun phrase, as a heading. */
  readonly title: string
  /** Why it happens, in at most 200 characters. */
  readonly cause: string
  /** The one change that helps, with its variable, field, file or command, in at most 240 characters. */
  readonly fix: string
  /** The known symptoms it stands for. */
  readonly symptoms?: readonly Symptom[]
}
