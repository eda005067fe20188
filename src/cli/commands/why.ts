import { readVariable, type Env } from '../../lib/base/env.ts'
import { errorCode, FileProblem, readRegularFile } from '../../lib/base/files.ts'
import { printable, printableJson } from '../../lib/base/printable.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { cloudsOf } from '../../lib/profile/profile-files.ts'
import type { Explanation } from '../../tools/why/explain-error.ts'
import { explainToken, type ComparedClaim } from '../../tools/why/explain-token.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { defineCommand, formatOption, exitCodes, UsageError } from '../command.ts'
import { formatTable, readableWidth, wrap } from '../terminal.ts'

const mostBytes = 1_000_000
/** A code, as one word. */
const codePattern = /^[A-Za-z][A-Za-z0-9_]{2,63}$|^\d{4,8}$/

export const command = defineCommand({
  description:
    'Explains an error code: of this service, of the login authority (AADSTS50049), of the system (ECONNREFUSED) or of OpenSSL. ' +
    'In the error of any program it finds such codes and phrases, and says which cloud each host and audience belongs to. ' +
    'Reads the text from the arguments, a file or stdin, at most 1 MB. Nothing leaves this machine, and only signs of the findings and ' +
    'values of known clouds are printed.',
  notes: 'Exit code: 0 explained, 1 unknown error, 2 usage error.',
  options: {
    ...profileOptions,
    token: {
      type: 'string',
      value: 'FILE',
      help: 'compare the claims of a token with the profile, - for stdin; the token is not printed',
    },
    format: formatOption(['text', 'json']),
  },
  positionals: { name: '[CODE|FILE|TEXT…]', most: Infinity, message: '' },
  async run({ values, positionals }, { env, print, note, ...terminal }) {
    const profile = chosenProfile(values, env)
    const width = readableWidth(terminal)
    const isJson = values.format === 'json'
    if (values.token !== undefined) {
      const claims = explainToken(await readInput(values.token), profile, new Date())
      if (isJson) print(printableJson({ claims: claims ?? null }))
      else if (claims === undefined) note('This is no readable token (JWT)')
      else print(formatClaims(claims, profile, width))
      return claims === undefined ? exitCodes.failed : exitCodes.passed
    }
    const { explainCode, explainText, nearestCode } = await import('../../tools/why/explain-error.ts')
    if (positionals.length === 0 && process.stdin.isTTY) note('Paste the error, then press Control-D')
    const context = { profile, clouds: cloudsOf(env) }
    const [word = '', ...more] = positionals
    const isCode = more.length === 0 && codePattern.test(word)
    let found = isCode ? explainCode(word, context) : undefined
    if (found === undefined) {
      found = explainText(await readText(positionals), context)
      const nearest = isCode && found.code === undefined ? nearestCode(word) : undefined
      if (nearest !== undefined) found = { ...found, nearest }
    }
    print(isJson ? printableJson(found) : formatExplanation(found, profile, width))
    return found.code === undefined ? exitCodes.failed : exitCodes.passed
  },
})

/** Without a choice there is no profile: the default of the service says nothing about another program. */
function chosenProfile(values: Parameters<typeof explainChosen>[0], env: Env): CloudProfile | undefined {
  const isChosen =
    values.cloud !== undefined ||
    values.profile !== undefined ||
    ['PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH'].some((name) => readVariable(env, name) !== undefined)
  return isChosen ? explainChosen(values, env).profile : undefined
}

/** How a path begins: `/`, `./`, `../`, `~/` or a drive. */
const pathStart = /^(?:\.{0,2}|~|[A-Za-z]:)[\\/]\S*$/

/** The content of the file that the one argument names, else the arguments, else stdin. */
async function readText(positionals: readonly string[]): Promise<string> {
  const [first = '-', ...more] = positionals
  if (more.length > 0) return positionals.join(' ').slice(0, mostBytes)
  if (first === '-' || pathStart.test(first)) return readInput(first)
  try {
    return readFile(first)
  } catch (error) {
    if (['ENOENT', 'ENAMETOOLONG', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE'].includes(errorCode(error) ?? '')) return first
    throw unreadable(first, error)
  }
}

const readFile = (path: string): string => readRegularFile(path, mostBytes).toString('utf8')

/** @throws {UsageError} for a file that cannot be read. */
async function readInput(path: string): Promise<string> {
  if (path === '-') return readStdin()
  try {
    return readFile(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, cause: unknown): UsageError {
  const reason = cause instanceof FileProblem ? cause.message : (errorCode(cause) ?? 'unknown error')
  const hint = cause instanceof FileProblem && cause.kind === 'too large' ? '. Pass its end: tail -c 1000000 FILE' : ''
  return new UsageError(`${printable(path)} cannot be read (${reason})${hint}`, { cause })
}

/** An endless stream ends too. */
async function readStdin(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length >= mostBytes) break
  }
  return text.slice(0, mostBytes)
}

function formatExplanation(
  { code, sign, title, cause, fix, others = [], nearest, values }: Explanation,
  profile: CloudProfile | undefined,
  width: number,
): string {
  const unknown = `I do not know this error.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`
  const also = `Also possible: ${others.join(', ')}. smoke-test --check-token and /api/diagnostics name the one that applies.`
  const lines =
    code === undefined
      ? [unknown]
      : [
          `${code}: ${title}${sign === code ? '' : ` ("${sign}")`}`,
          `Cause: ${cause}`,
          `Fix:   ${fix}`,
          ...(others.length > 0 ? [also] : []),
        ]
  const head = ['Host or audience', 'Cloud', 'Service', ...(profile === undefined ? [] : [`Profile ${profile.name}`])]
  const rows = values.map(({ value, cloud, service, profileValue = '' }) =>
    [value, cloud, service, ...(profile === undefined ? [] : [profileValue])].map((cell) => printable(cell)),
  )
  const table =
    rows.length === 0
      ? ''
      : `\n${formatTable(
          head.map((title) => printable(title)),
          rows,
          width,
        )}`
  return `${lines.map((line) => wrap(printable(line), width)).join('\n')}\n${table}`
}

function formatClaims(claims: readonly ComparedClaim[], profile: CloudProfile | undefined, width: number): string {
  const head = ['Claim', 'Token', profile === undefined ? 'Expected' : `Profile ${profile.name}`, '']
  const rows = claims.map(({ claim, value, expected = '', isEqual }) =>
    [claim, value, expected, isEqual === undefined ? '' : isEqual ? 'ok' : 'differs'].map((cell) => printable(cell)),
  )
  return formatTable(
    head.map((title) => printable(title)),
    rows,
    width,
  )
}
