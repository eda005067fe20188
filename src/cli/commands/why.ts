import { readFileSync, statSync } from 'node:fs'
import { text as readStream } from 'node:stream/consumers'
import { readVariable, type Env } from '../../lib/base/env.ts'
import { errorCode } from '../../lib/base/files.ts'
import { printable } from '../../lib/base/printable.ts'
import { cloudsOf } from '../../lib/profile/profile-files.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { defineCommand, formatOption, exitCodes, UsageError } from '../command.ts'
import { formatTable, wrap, readableWidth } from '../terminal.ts'
import type { Explanation } from '../why/explain-text.ts'
import { equalUrls } from '../../lib/base/address.ts'
import { readTokenClaims } from '../../lib/auth/token-claims.ts'
import { ownerOf } from '../../lib/clouds/owner-of.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'

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
    if (positionals.length === 0 && process.stdin.isTTY) terminal.note('Paste the error, then press Control-D')
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

/** How a path begins that is no text of an error: `/`, `./`, `../`, `~/` or a drive. */
const pathStart = /^(?:\.{0,2}|~|[A-Za-z]:)[\\/]\S*$/

/** A file of the one argument, else the arguments, else stdin. */
async function readText(positionals: readonly string[]): Promise<string> {
  const [first = '-', ...more] = positionals
  const isPath = more.length === 0 && (first === '-' || pathStart.test(first) || isFile(first))
  return isPath ? readInput(first) : positionals.join(' ')
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
    throw new UsageError(`${printable(path)} cannot be read (${errorCode(cause) ?? 'it is too large'})`, { cause })
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

/** A claim beside the value of the profile. */
export interface ComparedClaim {
  readonly claim: string
  readonly value: string
  readonly expected?: string
  /** Absent if there is nothing to compare it with. */
  readonly isEqual?: boolean
}

/**
 * Compares the claims of a token with a profile. The token itself is in no result.
 *
 * @returns `undefined` for a text that is no JWT.
 */
export function explainToken(
  token: string,
  profile: CloudProfile | undefined,
  now: Date,
): readonly ComparedClaim[] | undefined {
  const claims = readTokenClaims(token.trim().replace(/^Bearer\s+/i, ''))
  if (claims === undefined) return undefined
  const provider = profile && identityProviderOf(profile)
  const rows: ComparedClaim[] = []
  const add = (claim: string, value: string | undefined, expected?: string, isEqual?: boolean) => {
    if (value === undefined) return
    rows.push({
      claim,
      value,
      ...(expected === undefined ? {} : { expected }),
      ...(isEqual === undefined ? {} : { isEqual }),
    })
  }
  for (const audience of [claims.aud ?? []].flat()) {
    const expected = profile && audiencesOf(profile)
    const isEqual = expected?.some((each) => equalUrls(each, audience))
    add('aud', withOwner(audience), expected?.join(', '), isEqual)
  }
  const host = claims.iss === undefined ? undefined : URL.parse(claims.iss)?.host
  const hosts = provider?.expectedClaims.issuerHosts
  add(
    'iss',
    claims.iss && withOwner(claims.iss),
    hosts?.join(', '),
    hosts && host !== undefined && hosts.includes(host),
  )
  const tenant = provider?.expectedClaims.tenantId
  add('tid', claims.tid, tenant, tenant === undefined ? undefined : claims.tid?.toLowerCase() === tenant.toLowerCase())
  add('appid', claims.appid ?? claims.azp)
  const seconds = now.getTime() / 1000
  if (claims.nbf !== undefined)
    add('nbf', dateOf(claims.nbf), `before ${now.toISOString()}`, claims.nbf <= seconds + 300)
  if (claims.exp !== undefined) add('exp', dateOf(claims.exp), `after ${now.toISOString()}`, claims.exp > seconds)
  return rows
}

function audiencesOf({ resourceManagerAudience, serviceAudiences }: CloudProfile): readonly string[] {
  return [...new Set([resourceManagerAudience, ...Object.values(serviceAudiences)])]
}

function withOwner(value: string): string {
  const owner = URL.canParse(value) ? ownerOf(value) : undefined
  return owner?.clouds.length === 1 ? `${value} (${owner.clouds[0]?.name}, ${owner.service})` : value
}

const dateOf = (seconds: number): string => new Date(Math.min(seconds, 8.64e12) * 1000).toISOString()
