import type { Node } from '@vscode/tree-sitter-wasm'
import type { Level } from '../finding.ts'
import type { Grammar } from '../languages.ts'

/** A construct that reaches the public cloud by default. */
export interface ConstructPlace {
  /** Counted from 0. */
  readonly row: number
  /** Counted from 0, in UTF-16 code units. */
  readonly column: number
  /** The name of the class, function, command or block. */
  readonly name: string
  readonly kind: ConstructKind
}

export const constructKinds = [
  'credential',
  'management-client',
  'connection-string',
  'provider-block',
  'login-step',
  'sign-in-command',
] as const

export type ConstructKind = (typeof constructKinds)[number]

/** One construct of one language. */
export interface ConstructRow {
  readonly grammars: readonly Grammar[]
  readonly kind: ConstructKind
  /** A text that the file must contain, so that a class with the same name in another library does not count. */
  readonly needs: RegExp
  /** A tree-sitter query. Captures `@construct`, `@name` and, where there are any, `@arguments`. */
  readonly query: string
  /** Reads a file once for what its names mean, and gives the class or function that a place means, if it is one of this row's. */
  readonly namesIn: (source: string) => (captures: Captures) => string | undefined
  /** Whether the cloud option is certainly missing. An option that cannot be seen does not count as missing. */
  readonly isMissing: (captures: Captures, file: { readonly source: string; readonly meaning: string }) => boolean
}

export type Captures = Readonly<Record<string, Node>>

/** A construct whose cloud a variable of the process can still set is a warning. */
export const levelOfKind: Readonly<Record<ConstructKind, Level>> = {
  // AZURE_AUTHORITY_HOST, in every SDK.
  credential: 'warning',
  // ARM_ENVIRONMENT and ARM_METADATA_HOSTNAME.
  'provider-block': 'warning',
  'management-client': 'error',
  'connection-string': 'error',
  'login-step': 'error',
  'sign-in-command': 'error',
}

/** The arguments of a call, without comments. */
export function argumentsOf(list: Node | undefined): readonly Node[] {
  return (list?.namedChildren ?? []).filter((node): node is Node => node !== null && !node.type.includes('comment'))
}
