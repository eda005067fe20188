import { readFileSync, statSync } from 'node:fs'
import { text as readStream } from 'node:stream/consumers'
import { readVariable, type Env } from '../../lib/base/env.ts'
import { printable } from '../../lib/base/printable.ts'
import { cloudsOf } from '../../lib/profile/known-cloud-files.ts'
import type { CloudProfile } from '../../lib/profile/cloud-profile.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { defineCommand, formatOption } from '../command.ts'
import { exitCodes, UsageError } from '../exit.ts'
import { formatTable, wrap } from '../text.ts'
import { readableWidth } from '../terminal.ts'
import type { Explanation } from '../why/explain-text.ts'

/** Characters of a text: the first and the last errors of a long log tell the most. */
const maxLength = 1_000_000
/** A code, as one word. */
const codePattern = /^[A-Za-z][A-Za-z0-9_]{2,63}$|^\d{4,8}$|^[0-9A-F]{8}$/

export const command = defineCommand({
  description:
    'Explains an error of any tool: its cause, the cloud of each host in it, and the fix in the words of the tool. Reads the text from stdin, from a file, or from the arguments; a single code works too. Nothing leaves this machine, and no part of the text is printed but host names of known clouds.',
  notes: 'Exits with 0 if a cause is named, and with 1 if the text is unknown.',
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
  async run({ values, positionals }, { env, print, width: _width, ...terminal }) {
    const profile = chosenProfile(values, env)
    const width = readableWidth({ width: _width })
    const isJson = values.format === 'json'
    if (values.token !== undefined) {
      const { explainToken } = await import('../why/explain-token.ts')
      const claims = explainToken(await readInput(values.token), profile, new Date())
      if (isJson) print(`${JSON.stringify({ claims: claims ?? null }, undefined, 2)}\n`)
      else if (claims === undefined) terminal.note('This is no readable token (JWT)')
      else {
        const mark = (isEqual: boolean | undefined) => (isEqual === undefined ? '' : isEqual ? 'ok' : 'differs')
        const rows = claims.map(({ claim, value, expected = '', isEqual }) => [
          claim,
          printable(value),
          expected,
          mark(isEqual),
        ])
        print(
          formatTable(
            ['Claim', 'Token', profile === undefined ? 'Expected' : `Profile ${profile.name}`, ''],
            rows,
            width,
          ),
        )
      }
      return claims === undefined ? exitCodes.failed : exitCodes.passed
    }
    const { explainCode, explainText } = await import('../why/explain-text.ts')
    const [word = '', ...more] = positionals
    const byCode = more.length === 0 && codePattern.test(word) ? explainCode(word) : undefined
    const found = byCode ?? explainText(await readText(positionals), profile, cloudsOf(env))
    if (isJson) print(`${JSON.stringify(found, undefined, 2)}\n`)
    else print(formatExplanation(found, profile, width))
    return found.cause === undefined ? exitCodes.failed : exitCodes.passed
  },
})

/** Without a choice there is no profile: the default of the service says nothing about another tool. */
function chosenProfile(values: Parameters<typeof explainChosen>[0], env: Env): CloudProfile | undefined {
  const isChosen =
    values.cloud !== undefined ||
    values.profile !== undefined ||
    ['PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH'].some((name) => readVariable(env, name) !== undefined)
  return isChosen ? explainChosen(values, env).profile : undefined
}

/** A file of the one argument, else the arguments, else stdin. */
async function readText(positionals: readonly string[]): Promise<string> {
  const [first] = positionals
  if (first === undefined) return readInput('-')
  return positionals.length === 1 && (first === '-' || isFile(first)) ? readInput(first) : positionals.join(' ')
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** @throws {UsageError} for a file that cannot be read. */
async function readInput(path: string): Promise<string> {
  try {
    const text = path === '-' ? await readStream(process.stdin) : readFileSync(path, 'utf8')
    return text.length <= maxLength ? text : `${text.slice(0, maxLength / 2)}\n${text.slice(-maxLength / 2)}`
  } catch (cause) {
    throw new UsageError('The file with the text cannot be read', { cause })
  }
}

function formatExplanation(
  { code, cause, fix, tool, toolFix, values }: Explanation,
  profile: CloudProfile | undefined,
  width: number,
): string {
  const head = ['Host in the text', 'Cloud', 'Service', ...(profile === undefined ? [] : [`Profile ${profile.name}`])]
  const rows = values.map(({ host, cloud, service, profileValue = '' }) => [
    host,
    cloud,
    service,
    ...(profile === undefined ? [] : [profileValue]),
  ])
  const parts = [
    cause === undefined ? 'I do not know this error.' : `Cause: ${cause}${code === undefined ? '' : ` (${code})`}`,
    ...(fix === undefined ? [] : [`Fix:   ${fix}`]),
    ...(tool === undefined || toolFix === undefined ? [] : [`${tool}: ${toolFix}`]),
  ]
  const table = rows.length === 0 ? '' : `\n${formatTable(head, rows, width)}`
  return `${parts.map((part) => wrap(part, width)).join('\n')}\n${table}`
}
