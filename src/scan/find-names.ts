import { endOfText } from '../lib/base/end-of-text.ts'
import { plainNames, type CloudName } from './services.ts'
import { cloudOfName, isExactName as isExact } from './known-words.ts'

/** A name of a cloud in a text. */
export interface NameOccurrence {
  readonly start: number
  readonly end: number
  readonly cloud: CloudName
  /** Whether a setting or an argument chooses the cloud here. A comparison, a case or a network tag does not. */
  readonly isChoice: boolean
}

/** Constants of SDKs whose last word alone is ambiguous. */
const qualified: readonly (readonly [pattern: RegExp, cloud: CloudName])[] = [
  [/\bAzureEnvironment\.AZURE(?![\w])/g, 'public'],
  [/\bAzureEnvironment\.AZURE_US_GOVERNMENT\b/g, 'usgovernment'],
  [/\bAzureEnvironment\.AZURE_CHINA\b/g, 'china'],
  [/\bazure\.PublicCloud\b/g, 'public'],
  [/\bazure\.USGovernmentCloud\b/g, 'usgovernment'],
  [/\bazure\.ChinaCloud\b/g, 'china'],
]

const plainSetting =
  /(?:ARM_ENVIRONMENT|AZURE_ENVIRONMENT|AZURE_CLOUD_NAME|cloud_environment_name|azure(?:-native)?:environment)["']?\s*(?:\?=|=>?|:)+\s*(?:\$\{\w+:-)?["']?(public|usgovernment|china)\b/gi

const word = /[A-Za-z][A-Za-z0-9_]*/g

/**
 * Every name of a cloud in a line, in order.
 *
 * @param linesBefore A few lines above.
 * @param isProgram Whether a word without quotes is an identifier.
 */
export function findNames(line: string, linesBefore: string, isProgram: boolean): readonly NameOccurrence[] {
  const found: NameOccurrence[] = []
  for (const match of line.matchAll(word)) {
    const cloud = cloudOfName.get(match[0].toLowerCase())
    // `azureCloud` is a variable or a field. No tool writes a name so.
    if (cloud === undefined || /^[a-z].*[A-Z]/.test(match[0])) continue
    const start = match.index
    const end = start + match[0].length
    // No library has a constant of this name.
    if (isProgram && match[0] === 'AzureCloud' && !isQuoted(line, start)) continue
    found.push({ start, end, cloud, isChoice: isChoice(line, start, end, linesBefore) })
  }
  for (const [pattern, cloud] of qualified) {
    for (const match of line.matchAll(pattern)) {
      const start = match.index + match[0].lastIndexOf('.') + 1
      const end = match.index + match[0].length
      if (found.some((each) => each.start === start)) continue
      found.push({ start, end, cloud, isChoice: !isComparison(line.slice(0, match.index)) })
    }
  }
  for (const match of line.matchAll(plainSetting)) {
    const name = match[1] ?? ''
    const cloud = plainNames[name.toLowerCase()]
    const start = match.index + match[0].length - name.length
    if (cloud !== undefined) found.push({ start, end: start + name.length, cloud, isChoice: true })
  }
  return found.sort((a, b) => a.start - b.start)
}

/** Constructs that read a name and choose no cloud. */
const comparison =
  /=~|\s-(?:eq|ne|like|match|in|contains)\s|\b(?:case|when|choices|one_?of|enum)\b|\bequals\w*\(|EqualFold\(|starts_?with\(|\b(?:includes|contains)\(|allowed|ValidateSet/i

/** The key of a default, which chooses even beside a list of what may be chosen. */
const defaultKey = /\bdefault(?:_?value)?["']?\s*[:=]\s*["'`]?$/i

function isComparison(before: string): boolean {
  if (defaultKey.test(before)) return false
  if (comparison.test(before)) return true
  const left = before.slice(0, before.length - endOfText(before, /["'`(\w.:]/).length).trimEnd()
  if (/[=!]=$/.test(left)) return true
  const unquoted = /["']$/.test(before) ? before.slice(0, -1) : ''
  const subject = unquoted.trimEnd()
  return subject.length < unquoted.length && /\bis$/i.test(subject)
}

const constant =
  /(?:\b(?:AzureAuthorityHosts|AzureCloudInstance|ArmEnvironment|AzureEnvironment|AzureClouds|EnvironmentName|environments|cloud|azure|azcloud|KnownClouds?|AZURE_CLOUD|azure_cloud|Environment|AuthorityHosts)(?:\.|::)|\b(?:import|authority_hosts::)\s*)$/

const chooser = /(?:cloud|environment|[_-]env\b|\benv[_-]|\bcloud_?setting\b)/i

/** `azEnv`, but not `seven`. */
const shortChooser = /[a-z]Env\b/

/** A key with a generic name: its parent, or a `name` beside it, has the meaning. */
const plainKey = /^[\s-]*["']?(?:default(?:_?value)?|value)["']?\s*(?::|=)\s*["']?$/i

function isQuoted(line: string, at: number): boolean {
  const before = line.slice(0, at)
  return ['"', "'", '`'].some((quote) => before.split(quote).length % 2 === 0)
}

function isChooser(text: string): boolean {
  return chooser.test(withoutNames(text)) || shortChooser.test(text)
}

/** Whether the block around a key chooses a cloud, such as an input or a variable of the environment with a default. */
function isInChooser(before: string, linesBefore: string): boolean {
  const own = indentOf(before)
  for (const line of linesBefore.split('\n').toReversed()) {
    if (line.trim() === '') continue
    const indent = indentOf(line)
    if (indent < own) return isChooser(line)
    if (indent === own && /^[\s-]*["']?(?:name|key)["']?\s*[:=]/i.test(line)) return isChooser(line)
  }
  return false
}

/** The dash of a list is a part of the indent. */
const indentOf = (line: string) => /^[\s-]*/.exec(line)?.[0].length ?? 0

function isChoice(line: string, start: number, end: number, linesBefore: string): boolean {
  const before = line.slice(0, start)
  // `AzureCloud.WestEurope` is a tag of a network rule, `AzureCloudInstance` another word.
  if (/^\.[A-Za-z]/.test(line.slice(end)) && /["'`:\s=]$/.test(before)) return false
  if (isComparison(before)) return false
  if (constant.test(before)) {
    // Reading a property of the cloud selects no cloud.
    const isRead = /^(?:\.|\(\)\.|\[)/.test(line.slice(end))
    return isExact(line.slice(start, end)) && !isRead && !/\b(?:import|using|from)\b/.test(before)
  }
  // Names of variables are written alike: another case is a name only as a value.
  if (!isExact(line.slice(start, end)) && !/["'`=]$|:-$/.test(before)) return false
  // A key of a map, and the name of a definition.
  if (/^["'`]?\s*(?::|=>|=[^=])/.test(line.slice(end)) && !/[:=]\s*["'`]?$/.test(before)) return false
  if (!/(?:["'`=:]|\s|:-|\()$/.test(before)) return false
  if (isChooser(before)) return true
  if (plainKey.test(before)) return isInChooser(before, linesBefore)
  const isReturned = /\breturn\s+["'`]$/.test(before)
  return isReturned && chooser.test(linesBefore.split('\n').slice(-4).join('\n'))
}

/** The names of clouds contain the word that identifies a chooser. */
function withoutNames(text: string): string {
  return text.replace(word, (each) => (cloudOfName.has(each.toLowerCase()) ? '' : each))
}
