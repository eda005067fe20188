import { existsSync } from 'node:fs'
import { readVariable } from '../../lib/base/env.ts'
import { errorCode, FileProblem, readRegularFile } from '../../lib/base/files.ts'
import { printable, printableJson } from '../../lib/base/printable.ts'
import { cloudsOf } from '../../lib/profile/profile-files.ts'
import type { Explanation } from '../../tools/why/explain-error.ts'
import { explainToken } from '../../tools/why/explain-token.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { defineCommand, formatOption, exitCodes, UsageError } from '../command.ts'
import { formatTable, readableWidth, wrap } from '../terminal.ts'

const mostBytes = 1_000_000
const codePattern = /^[A-Za-z][A-Za-z0-9_]{2,63}$|^\d{4,8}$/
/** How a path begins: `/`, `./`, `../`, `~/` or a drive. */
const pathPattern = /^(?:\.{0,2}|~|[A-Za-z]:)[\\/]\S*$/

export const command = defineCommand({
  description:
    'Explains an error code of this service, of the login authority (AADSTS50049), of the system (ECONNREFUSED) or of OpenSSL. ' +
    'In the error text of any program it finds such codes and known phrases, and tells which cloud each host and audience belongs to. ' +
    'Reads the text from the arguments, a file or stdin, at most 1 MB. The text stays on this machine, and the output contains only ' +
    'known phrases and values of known clouds from it.',
  notes: 'Exit code: 0 explained, 1 unknown error, 2 usage error.',
  options: {
    ...profileOptions,
    token: {
      value: 'FILE',
      help: 'compare the claims of a token with the profile, - for stdin; the token is not printed',
    },
    format: formatOption(['text', 'json']),
  },
  positionals: { name: '[CODE|FILE|TEXT…]', most: Infinity, message: '' },
  async run({ values, positionals }, { env, print, note, width: columns }) {
    // No profile unless one is chosen: the default of the service says nothing about another program.
    const variable = ['PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH'].find((name) => readVariable(env, name))
    const isChosen = (values.cloud ?? values.profile ?? variable) !== undefined
    const profile = isChosen ? explainChosen(values, env).profile : undefined
    const width = readableWidth(columns)
    const isJson = values.format === 'json'
    if (values.token !== undefined) {
      const claims = explainToken(await readInput(values.token), profile, new Date())
      if (isJson) print(printableJson({ claims: claims ?? null }))
      else if (claims === undefined) note('This is not a readable token (JWT)')
      else {
        const verdict = (isEqual?: boolean) => (isEqual === undefined ? '' : isEqual ? 'ok' : 'differs')
        const rows = claims.map((each) => [each.claim, each.value, each.expected ?? '', verdict(each.isEqual)])
        print(formatTable(['Claim', 'Token', `Profile${profile ? ` ${profile.name}` : ''}`, ''], rows, width))
      }
      return claims === undefined ? exitCodes.failed : exitCodes.passed
    }
    const { explainCode, explainText, nearestCode } = await import('../../tools/why/explain-error.ts')
    if (positionals.length === 0 && process.stdin.isTTY) note('Paste the error, then press Control-D')
    const context = { profile, clouds: cloudsOf(env) }
    const [word = '-', ...more] = positionals
    const isCode = more.length === 0 && codePattern.test(word)
    const isFile = more.length === 0 && (word === '-' || pathPattern.test(word) || existsSync(word))
    const found =
      (isCode ? explainCode(word, context) : undefined) ??
      explainText(isFile ? await readInput(word) : positionals.join(' ').slice(0, mostBytes), context)
    const nearest = isCode && found.code === undefined ? nearestCode(word) : undefined
    print(isJson ? printableJson({ ...found, nearest }) : formatExplanation(found, nearest, width))
    return found.code === undefined ? exitCodes.failed : exitCodes.passed
  },
})

/** @throws {UsageError} for a file that can't be read. */
async function readInput(path: string): Promise<string> {
  try {
    if (path !== '-') return readRegularFile(path, mostBytes).toString('utf8')
  } catch (error) {
    const reason = error instanceof FileProblem ? error.message : (errorCode(error) ?? 'unknown error')
    throw new UsageError(`${printable(path)} cannot be read (${reason})`, { cause: error })
  }
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    // An endless stream ends too.
    if (text.length >= mostBytes) break
  }
  return text.slice(0, mostBytes)
}

function formatExplanation(found: Explanation, nearest: string | undefined, width: number): string {
  const { code, sign, title, cause, fix, values } = found
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  const unknown = [
    `No known error.${meant}${values.length === 0 ? '' : ' It names the hosts and audiences below.'}`,
    'Ask again with the whole text: its code (such as AADSTS50049 or ECONNREFUSED), the response of the server, and --cloud NAME for the cloud that the program is for.',
  ]
  const name = `${code}: ${title}${sign === code ? '' : ` ("${sign}")`}`
  const known = [name, ...(cause === undefined ? [] : [`Cause: ${cause}`]), `Fix:   ${fix}`]
  const lines = wrap((code === undefined ? unknown : known).join('\n'), width)
  const rows = values.map(({ value, cloud, service, use = '' }) => [value, cloud, service, use])
  const head = ['Host or audience', 'Cloud', 'Service', 'Instead']
  return `${lines}\n${rows.length === 0 ? '' : `\n${formatTable(head, rows, width)}`}`
}
