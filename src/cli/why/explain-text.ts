import type { CloudFile, CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { servicesOf, knownClouds } from '../../lib/clouds/known-clouds.ts'
import { ownerOf } from '../../lib/clouds/owner-of.ts'
import type { ServiceName } from '../../lib/clouds/known-files.ts'
import { findings, generalFix } from '../../lib/findings/catalog.ts'
import type { Finding } from '../../lib/findings/finding.ts'
import { warningFindings } from '../../lib/findings/warning-findings.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { withoutFinalSlashes } from '../../lib/base/address.ts'
import { metadataHostOf, toolNameOf } from '../../lib/clouds/tool-names.ts'
import { createStanding } from '../../tools/run/contacts.ts'
import { errorTexts, type ErrorText, type Sign, type Topic } from './error-texts.ts'
import { tools, type Tool } from './tool-fixes.ts'

/** A host of the text that belongs to a cloud. */
export interface KnownValue {
  readonly host: string
  readonly cloud: string
  readonly service: string
  /** What the profile has in its place. */
  readonly profileValue?: string
}

/** What an error of another tool means. Nothing in it is a text of the error, but hosts of known clouds. */
export interface Explanation {
  readonly code?: string
  /** Absent if the text is unknown. */
  readonly cause?: string
  readonly fix?: string
  readonly tool?: string
  /** The fix in the words of the tool. */
  readonly toolFix?: string
  readonly values: readonly KnownValue[]
}

/** The codes of a row. */
export const codesOf = ([signs]: ErrorText): readonly string[] =>
  signs.flatMap((sign) => (typeof sign === 'string' ? sign.split(' ') : []))

/** Explains one code: ours, of the login authority, of the resource manager, of OpenSSL or of the system. */
export function explainCode(code: string): Explanation | undefined {
  const name = /^\d{4,8}$/.test(code) ? `AADSTS${code}` : code
  const own = ownFinding(name)
  if (own !== undefined) return { code: name, cause: own.cause, fix: own.fix, values: [] }
  const row = errorTexts.find((each) => codesOf(each).some((known) => known.toLowerCase() === name.toLowerCase()))
  return row && { cause: row[1], fix: row[2], code: name, values: [] }
}

function ownFinding(code: string): { readonly cause: string; readonly fix: string } | undefined {
  const rows: Readonly<Record<string, Finding>> = { ...findings, ...warningFindings }
  const row = Object.hasOwn(rows, code) ? rows[code] : undefined
  return row && { cause: row.cause, fix: generalFix(row) }
}

/**
 * @param profile The profile that its values are compared with.
 * @param clouds The clouds that are recognized.
 */
export function explainText(
  text: string,
  profile: CloudProfile | undefined,
  clouds: readonly CloudFile[] = knownClouds,
): Explanation {
  const values = knownValues(text, profile, clouds)
  const found = matchOf(text)
  const tool = tools.find(({ pattern }) => pattern.test(text))
  const mixed = describeClouds(values, profile)
  if (found === undefined) {
    if (
      mixed === undefined ||
      !/\b(?:error|fail|denied|unauthorized|forbidden|exception|unable|cannot|40[0-4])/i.test(text)
    )
      return { values }
    const fix =
      'Give every value of the program the one cloud of the profile. cloud-profile run lists the hosts that it contacts.'
    return { cause: mixed, fix, ...wordsOf(tool, 'cloud', profile), values }
  }
  const [, cause, fix, topic] = found.row
  return {
    ...(found.code === undefined ? {} : { code: found.code }),
    cause: mixed === undefined ? cause : `${cause} ${mixed}`,
    fix,
    ...wordsOf(tool, topic, profile),
    values,
  }
}

/**
 * What a tool guesses beside the error that it shows. It often guesses wrong, such as `az` about a private certificate authority after any
 * failure of TLS.
 */
const guess =
  /this typically happens|please add this certificate|(?:it is possible|this may be|this is possibly|possibly) (?:that|due to) /i

/** The text without guesses, each up to the end of its sentence, and without the sentence that `az` puts before its own. */
function withoutGuesses(text: string): string {
  const sentences = text.split(/(?<=[.:\n])/)
  const kept = sentences.map((sentence, index) => {
    const isOfGuess = /certificate verification failed\.$/i.test(sentence) && guess.test(sentences[index + 1] ?? '')
    const at = isOfGuess ? 0 : sentence.search(guess)
    return at === -1 ? sentence : sentence.slice(0, at)
  })
  return kept.join('')
}

/** The most telling row. A number of the login authority that no row has makes the whole text unknown. */
function matchOf(whole: string): { readonly row: ErrorText; readonly code?: string } | undefined {
  const text = withoutGuesses(whole)
  const numbers = new Set([...text.matchAll(/AADSTS\d{4,8}|MSIS\d{4}/g)].map(([number]) => number))
  for (const listed of text.matchAll(/"error_codes"\s*:\s*\[\s*(\d{4,8})/g)) numbers.add(`AADSTS${listed[1] ?? ''}`)
  for (const row of errorTexts) {
    const code = codesOf(row).find((each) => (numbers.size > 0 ? numbers.has(each) : hasWord(text, each)))
    if (code !== undefined) return { row, code }
    if (numbers.size === 0 && row[0].some((sign) => holds(sign, text))) return { row }
  }
  return undefined
}

/** Characters between the parts of a pattern. */
const mostBetween = 400

/** Whether the parts of a pattern follow each other in a text. */
function holds(sign: Sign, text: string): boolean {
  if (typeof sign === 'string') return false
  const [first, ...rest] = sign instanceof RegExp ? [sign] : sign
  const found = first?.exec(text)
  if (!found) return false
  const end = found.index + found[0].length
  return rest.length === 0 || holds(rest, text.slice(end, end + mostBetween))
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + word.length))) return true
  }
  return false
}

/** What may be a host name, with nothing of the URL around it: that may hold an account or a signature. */
const wordPattern = /[\w.-]+/g
const hostPattern = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}$/
const mostValues = 20

/** @param clouds The clouds that are recognized. */
function knownValues(
  text: string,
  profile: CloudProfile | undefined,
  clouds: readonly CloudFile[],
): readonly KnownValue[] {
  const standingOf = profile === undefined ? undefined : createStanding(profile, [], clouds)
  const words = (text.replaceAll(/%[0-9a-f]{2}/gi, ' ').match(wordPattern) ?? []).filter(
    (word) => word.length <= 253 && word.includes('.'),
  )
  const names = words.map((word) => word.toLowerCase().replace(/^[.-]|[.-]$/g, ''))
  const hosts = [...new Set(names)].filter((name) => hostPattern.test(name))
  return hosts
    .flatMap((host) => {
      const own = standingOf?.({ host, port: 443 })
      const owner = ownerOf(host, clouds)
      if (own?.allowed === true && own.cloud !== null) return [{ host, cloud: own.cloud, service: own.service ?? '' }]
      const [cloud, ...more] = owner?.clouds ?? []
      if (owner === undefined || cloud === undefined || more.length > 0) return []
      const profileValue = profile && valueOf(profile, owner.service)
      return [
        {
          host,
          cloud: cloud.name,
          service: owner.service,
          ...(profileValue === undefined ? {} : { profileValue }),
        },
      ]
    })
    .slice(0, mostValues)
}

function valueOf(profile: CloudProfile, service: string): string | undefined {
  const { authorityHost, resourceManagerEndpoint, portalUrl } = profile
  const values: Readonly<Record<string, string | undefined>> = {
    login: authorityHost,
    resourceManager: resourceManagerEndpoint,
    portal: portalUrl,
  }
  const { dnsSuffix, url } = servicesOf(profile)[service as ServiceName] ?? {}
  return values[service] ?? dnsSuffix ?? url
}

function describeClouds(values: readonly KnownValue[], profile: CloudProfile | undefined): string | undefined {
  const clouds = [...new Set(values.map(({ cloud }) => cloud))]
  const foreign = clouds.filter((cloud) => cloud !== profile?.name)
  if (profile !== undefined) {
    return foreign.length === 0
      ? undefined
      : `The text has values of ${foreign.join(' and ')}, and the profile is ${profile.name}.`
  }
  return clouds.length < 2 ? undefined : `The text has values of several clouds: ${clouds.join(', ')}.`
}

function wordsOf(tool: Tool | undefined, topic: Topic | undefined, profile: CloudProfile | undefined) {
  const words = topic === undefined ? undefined : tool?.fixes[topic]
  if (tool === undefined) return {}
  return words === undefined ? { tool: tool.name } : { tool: tool.name, toolFix: fill(words, profile) }
}

/** Puts values of the profile in the place of `{name}`. Without a profile, the names stand in capitals. */
function fill(words: string, profile: CloudProfile | undefined): string {
  const values: Readonly<Record<string, string | undefined>> = profile
    ? {
        authority: identityProviderOf(profile).authorityUrl,
        resourceManager: withoutFinalSlashes(profile.resourceManagerEndpoint),
        audience: withoutFinalSlashes(profile.resourceManagerAudience),
        metadataHost: metadataHostOf(profile),
        az: toolNameOf(profile, 'az') ?? profile.name,
        terraform: toolNameOf(profile, 'terraform'),
        goAutorest: toolNameOf(profile, 'goAutorest') ?? 'AzureStackCloud',
      }
    : {}
  return words.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? capitals[name] ?? 'NAME')
}

const capitals: Readonly<Record<string, string>> = {
  authority: 'https://AUTHORITY/',
  resourceManager: 'https://RESOURCE_MANAGER',
  audience: 'https://AUDIENCE',
  metadataHost: 'HOST',
  az: 'CLOUD',
  terraform: 'CLOUD',
  goAutorest: 'CLOUD',
}
