import { parseArgs, type ParseArgsConfig } from 'node:util'
import { errorCode } from '../lib/base/files.ts'
import { showValue } from '../lib/base/printable.ts'
import { nearestName } from '../lib/base/names.ts'
import { readableWidth, type Terminal, formatRows, wrap } from './terminal.ts'

export interface Option {
  readonly help: string
  /** The name of the value in the help, such as `FILE`. Without it, the option has no value. */
  readonly value?: string
  readonly multiple?: true
  readonly default?: string
  /** The only valid values. */
  readonly choices?: readonly string[]
  /** The error for another value. Default lists the choices. */
  readonly refuse?: (value: string) => Error
}

export type Options = Readonly<Record<string, Option>>

/** The option of a command that prints its results in several formats. */
export const formatOption = <const F extends string>(choices: readonly F[]) =>
  ({ value: 'FORMAT', help: 'output format', default: 'text', choices }) as const

/** The values of a command's options, by name. */
export type Values<O extends Options> = {
  readonly [K in keyof O]: O[K] extends { readonly value: string }
    ? O[K] extends { readonly multiple: true }
      ? readonly ChoiceOf<O[K]>[]
      : ChoiceOf<O[K]> | (O[K] extends { readonly default: string } ? never : undefined)
    : boolean
}

type ChoiceOf<O> = O extends { readonly choices: readonly (infer C)[] } ? C : string

/** The arguments that aren't options. */
export interface Positionals {
  /** As the usage line shows them, such as `FILE…`. */
  readonly name: string
  readonly most: number
  readonly least?: number
  /** Whether they must follow `--`, because they are the command line of another program. */
  readonly afterTerminator?: true
  /** The values of the first argument, for completion. */
  readonly choices?: readonly string[]
  /** The error message for too few or too many arguments. */
  readonly message: string
}

/** One command. Importing its file runs nothing. */
export interface Command<O extends Options = Options> {
  readonly description: string
  readonly options: O
  readonly positionals?: Positionals
  /** Text at the end of the help. */
  readonly notes?: string
  /** @returns The exit code, or nothing if the command runs until it is stopped. */
  run(
    given: { readonly values: Values<O>; readonly positionals: readonly string[] },
    terminal: Terminal,
  ): Promise<number | undefined>
}

/** Infers the types of a command's options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command
}

/** Runs a command, or prints its help. @param called The call as a person types it. @throws {UsageError} for an invalid argument. */
export async function execute(
  command: Command,
  args: readonly string[],
  terminal: Terminal,
  called = 'COMMAND',
  examples: readonly string[] = [],
): Promise<number | undefined> {
  const { options, positionals: { most, least = 0, afterTerminator, message } = { most: 0, message: '' } } = command
  const { values: found, positionals, tokens } = parseOrExplain(args, options, most > 0)
  // An argument before `--`, or without it.
  if (afterTerminator && tokens.find(({ kind }) => kind !== 'option')?.kind === 'positional')
    throw new UsageError(message)
  if (found['help'] === true) {
    terminal.print(formatHelp(command, called, readableWidth(terminal.width), examples))
    return exitCodes.passed
  }
  const values = Object.entries(options).map(([name, { value, multiple, default: usual, choices, refuse }]) => {
    const given = found[name] ?? (value === undefined ? false : (usual ?? (multiple ? [] : undefined)))
    const wrong = choices && [given ?? []].flat().find((each) => !choices.includes(String(each)))
    if (wrong === undefined) return [name, given] as const
    throw refuse?.(String(wrong)) ?? notOneOf(`--${name}`, String(wrong), choices ?? [])
  })
  if (positionals.length < least || positionals.length > most) throw new UsageError(message)
  const given = { values: Object.fromEntries(values) as Values<Options>, positionals }
  return command.run(given, found['no-color'] === true ? { ...terminal, colors: false } : terminal)
}

/** Options of every command. */
export const commonOptions: Options = {
  'no-color': { help: 'no colors, as with NO_COLOR' },
  help: { help: 'print this help (-h)' },
}

function parseOrExplain(args: readonly string[], options: Options, allowPositionals: boolean) {
  const all = Object.entries({ ...options, ...commonOptions })
  const parsed = all.map(([name, { value, multiple = false }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string', multiple, ...(name === 'help' && { short: 'h' }) },
  ])
  try {
    return parseArgs({
      args: [...args],
      options: Object.fromEntries(parsed) as NonNullable<ParseArgsConfig['options']>,
      allowPositionals,
      tokens: true,
    })
  } catch (error) {
    throw toUsageError(error, options)
  }
}

/** Shortens an error of `parseArgs` to its first sentence, and adds the nearest option. Returns other errors unchanged. */
function toUsageError(error: unknown, options: Options): unknown {
  if (!(error instanceof Error && errorCode(error)?.startsWith('ERR_PARSE_ARGS'))) return error
  const [sentence = ''] = error.message.split(/\. (?=[A-Z])|\n/)
  const word = /^Unknown option '--?([^']+)'/.exec(sentence)?.[1]
  // Users of other tools type `--json` or `-o json`.
  const format = word === 'o' ? 'json' : word
  const isFormat = format !== undefined && options['format']?.choices?.includes(format) === true
  const meant = isFormat ? `format ${format}` : word && nearestName(word, Object.keys(options))
  const hint = meant === undefined ? '' : ` Did you mean '--${meant}'?`
  return new UsageError(`${sentence.replace(/\.$/, '')}.${hint} Run it with --help for its options`, { cause: error })
}

const notOneOf = (what: string, value: string, choices: readonly string[]) =>
  new UsageError(
    `${what} must be one of ${choices.join(', ')}, but is ${showValue(value)}${didYouMean(value, choices)}`,
  )

/** The entry of a table. @param synonyms What to use for other words that people type. @throws {UsageError} with the nearest name. */
export function choose<T>(
  kind: string,
  name: string,
  table: Readonly<Record<string, T>>,
  synonyms: Readonly<Record<string, string>> = {},
): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined
  if (found !== undefined) return found
  const known = Object.keys(table)
  const meant = Object.hasOwn(synonyms, name) ? ` Did you mean ${synonyms[name]}?` : didYouMean(name, known, ' ')
  throw new UsageError(`Unknown ${kind} ${showValue(name)}.${meant} Choose one of ${known.join(', ')}`)
}

function didYouMean(value: string, known: readonly string[], before = '. '): string {
  const nearest = nearestName(value, known)
  return nearest === undefined ? '' : `${before}Did you mean ${nearest}?`
}

/** The help of a command. @param called The call as a person types it. @param examples Arguments of example calls. */
export function formatHelp(
  { description, options, positionals, notes }: Command,
  called: string,
  width: number,
  examples: readonly string[] = [],
): string {
  const rows = Object.entries({ ...options, ...commonOptions })
  const words = positionals?.afterTerminator ? ['[options]', positionals.name] : [positionals?.name, '[options]']
  const usage = [called, ...words].filter((word) => word !== undefined).join(' ')
  const list = rows.map(([name, option]) => [[`--${name}`, option.value].join(' ').trim(), helpOf(option)] as const)
  const lines = examples.map((each) => `  ${each === '' ? called.replace(/ --$/, '') : `${called} ${each}`}`)
  const parts = [
    wrap(`Usage: ${usage}`, width),
    wrap(description, width),
    formatRows(list, width).trimEnd(),
    ...(lines.length === 0 ? [] : [wrap(['Examples:', ...lines].join('\n'), width)]),
    ...(notes === undefined ? [] : [wrap(notes, width)]),
  ]
  return parts.map((part) => `${part}\n`).join('\n')
}

function helpOf({ help, multiple, default: fallbackValue, choices }: Option): string {
  const more = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(fallbackValue === undefined ? [] : [`default is ${fallbackValue}`]),
    ...(multiple === true ? ['repeatable'] : []),
  ]
  return more.length === 0 ? help : `${help} (${more.join('; ')})`
}

/** `failed`: a check, a comparison or a connection failed. `usage`: an option, a variable or a file must be corrected. */
export const exitCodes = { passed: 0, failed: 1, usage: 2, fault: 3 } as const

/** An error of the command line. The message says how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The cloud is at fault, not an option or a setting. The message has cause and fix. */
export class CloudFailure extends Error {
  override readonly name = 'CloudFailure'
}

/** Exit code and message for an error. Only internal errors show a stack. */
export function exitOf(error: unknown): { readonly code: number; readonly message: string } {
  if (!(error instanceof Error)) return { code: exitCodes.fault, message: String(error) }
  // In a checkout, `npm ci --omit=dev` leaves out packages that some commands need.
  const [, absent] = /^Cannot find package '([^']+)'/.exec(error.message) ?? []
  if (absent !== undefined && errorCode(error) === 'ERR_MODULE_NOT_FOUND')
    return { code: exitCodes.usage, message: `The package ${absent} is not installed. Run npm ci` }
  // Such as a full disk.
  if ('syscall' in error) return { code: exitCodes.usage, message: `The operating system reports: ${error.message}` }
  if (error.name === 'CloudFailure') return { code: exitCodes.failed, message: error.message }
  return ['UsageError', 'ServiceError', 'AbortError', 'StartError', 'EnclaveError'].includes(error.name)
    ? { code: exitCodes.usage, message: error.message }
    : { code: exitCodes.fault, message: error.stack ?? error.message }
}
