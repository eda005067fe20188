import { endOfText } from '../../../src/lib/base/printable.ts'
import { plainName, type Clouds } from './clouds.ts'
import type { FixLanguage } from './languages.ts'
import type { Region, Source } from './source.ts'

export interface NameOccurrence extends Region {
  readonly cloud: string
  /** Whether a setting or an argument chooses the cloud here. A comparison, a case or a network tag does not. */
  readonly isChoice: boolean
  /** Whether the name is a value of a list of what a setting may be. */
  readonly isListed: boolean
}

/** Settings that choose a cloud by a plain word, or constants whose last word alone is ambiguous. The group is the name. */
const settings: readonly RegExp[] = [
  /(?:ARM_ENVIRONMENT|AZURE_ENVIRONMENT|AZURE_CLOUD_NAME|cloud_environment_name|azure(?:-native)?:environment)["']?\s*(?:\?=|=>?|:)+\s*(?:\$\{\w+:-)?["']?(public|usgovernment|china)\b/gi,
  /\bcloud[-_]?type["']?\s*[:=]\s*["']?(azure(?:_china|_us_government)?)\b(?!\w|[.{])/gi,
  /\benvironmentType["']?\s*:\s*["']?(PublicCloud|USGovernmentCloud|ChinaCloud)\b/g,
  /\bConnect-MgGraph\b[^|;\n]{0,300}\s-Environment\s+["']?(Global|USGov|USGovDoD|China)\b/gi,
  /\bAzureEnvironment\.(AZURE|AZURE_US_GOVERNMENT|AZURE_CHINA)(?!\w)/g,
  /\bContainerRegistryAudience\.(AzureResourceManager(?:PublicCloud|Government|China))\b/g,
  /\bazure\.(PublicCloud|USGovernmentCloud|ChinaCloud)\b/g,
]

const word = /[A-Za-z][A-Za-z0-9_]*/g
const programs = new Set<FixLanguage>(['typescript', 'python', 'go', 'dotnet', 'java', 'rust', 'cpp'])
/** A longer line is no setting. */
const longestLine = 2000
/** How many lines above may say what a line is. */
const reach = 8

/** Every name of a cloud in the lines where the matcher found one. */
export function findNames(source: Source, clouds: Clouds): readonly NameOccurrence[] {
  const named = source.hits.filter(({ kind }) => kind === 'name')
  const rows = new Set(named.map(({ end }) => source.lines.rowOf(end - 1)))
  return [...rows].flatMap((row) => {
    const { lines } = source
    const line = lines.textOf(row, longestLine)
    const found = namesIn(line, source, row, clouds)
    const isList = found.length > 0 && isInListOfAllowed(lines, row)
    const from = lines.startOf(row)
    return found.map((each) => {
      const isDefault = each.isChoice && defaultKey.test(line.slice(0, each.start))
      return { ...each, start: from + each.start, end: from + each.end, isListed: isList && !isDefault }
    })
  })
}

const allowedValues =
  /\b(?:choices|one_?of|enum|allowed\w*|ValidateSet|validation)\b|^\s*(?:values|options)\s*:\s*(?:\[|$)/i

/** Whether a line, or the line above those that hold a name each, opens a list of the values that a setting may have. */
function isInListOfAllowed(lines: Source['lines'], row: number): boolean {
  for (let each = row; each >= Math.max(0, row - reach); each--) {
    const line = lines.textOf(each, 500)
    if (allowedValues.test(line)) return true
    if (!/^(?:-\s*)?["']?[\w.]*["']?,?$/.test(line.trim())) return false
  }
  return false
}

/** The names of one line. Places are counted from its begin. */
function namesIn(line: string, source: Source, row: number, clouds: Clouds) {
  const found: Omit<NameOccurrence, 'isListed'>[] = []
  const isProgram = programs.has(source.language.fix)
  for (const { index: start, 0: text } of line.matchAll(word)) {
    const cloud = clouds.cloudOfName.get(plainName(text))
    if (cloud === undefined) continue
    const before = line.slice(0, start)
    const isSet = source.language.isYaml === true && bareSetting.test(before)
    // `azureCloud` is a variable or a field. No tool writes a name so, and no library has a constant `AzureCloud`.
    if (!isSet && /^[a-z].*[A-Z]/.test(text)) continue
    if (isProgram && text === 'AzureCloud' && !isQuoted(before)) continue
    const end = start + text.length
    found.push({ start, end, cloud, isChoice: isSet || isChoice(line, start, end, source, row, clouds) })
  }
  for (const pattern of settings)
    for (const match of line.matchAll(pattern)) {
      const text = match[1] ?? ''
      const start = match.index + match[0].lastIndexOf(text)
      if (found.some((each) => each.start === start)) continue
      const cloud = /gov/i.test(text) ? 'usgovernment' : /china/i.test(text) ? 'china' : 'public'
      // Reading a property of the cloud selects none.
      const isRead = /^(?:\.|\(\)\.)/.test(line.slice(start + text.length)) && text.startsWith('AZURE')
      const isChosen = !isRead && !isComparison(line.slice(0, match.index))
      found.push({ start, end: start + text.length, cloud, isChoice: isChosen })
    }
  return found
}

/** Constructs that read a name and choose no cloud. */
const comparison =
  /=~|\s-(?:eq|ne|like|match|in|contains)\s|\b(?:case|when|choices|one_?of|enum)\b|\bequals\w*\(|EqualFold\(|starts_?with\(|\b(?:includes|contains)\(|allowed|ValidateSet/i
/** The key of a default, which chooses even beside a list of what may be chosen. */
const defaultKey = /\bdefault(?:_?value)?["']?\s*[:=]\s*["'`]?$/i
const constant =
  /(?:\b(?:\w*(?:AuthorityHosts?|CloudInstance|Environments?|Clouds?|Audience)|EnvironmentName|environments|cloud|azure|azcloud|AZURE_CLOUD|azure_cloud)(?:\.|::)|\b(?:import|authority_hosts::)\s*)$/
const chooser = /(?:cloud|environment|[_-]env\b|\benv[_-]|[a-z]Env\b)/i
/** A setting whose value is the name, without quotes. */
const bareSetting = /(?:cloud|environment)[\w-]*["']?\s*[:=]\s*$/i
/** A key such as `default` or `value`: what it is about stands in the name of its parent, or in a `name` beside it. */
const plainKey = /^[\s-]*["']?(?:default(?:_?value)?|value)["']?\s*(?::|=)\s*["']?$/i

function isChoice(line: string, start: number, end: number, source: Source, row: number, clouds: Clouds): boolean {
  const [before, after, text] = [line.slice(0, start), line.slice(end), line.slice(start, end)]
  // `AzureCloud.WestEurope` is a tag of a network rule, `AzureCloudInstance` another word.
  if (/^\.[A-Za-z]/.test(after) && /["'`:\s=]$/.test(before)) return false
  if (isComparison(before)) return false
  const isExact = clouds.exactNames.has(text) || text === text.toUpperCase()
  if (constant.test(before))
    return isExact && !/^(?:\.|\(\)\.|\[)/.test(after) && !/\b(?:import|using|from)\b/.test(before)
  // Names of variables are written alike: another case is a name only as a value.
  if (!isExact && !/["'`=]$|:-$/.test(before)) return false
  // A key of a map, and the name of a definition.
  if (/^["'`]?\s*(?::|=>|=[^=])/.test(after) && !/[:=]\s*["'`]?$/.test(before)) return false
  if (!/(?:["'`=:]|\s|:-|\()$/.test(before)) return false
  const above = Array.from({ length: Math.min(reach, row) }, (_, index) => source.lines.textOf(row - 1 - index, 400))
  if (isChooser(before, clouds)) return true
  if (plainKey.test(before)) return isInChooser(before, above, clouds)
  return /\breturn\s+["'`]$/.test(before) && above.slice(0, 4).some((each) => chooser.test(each))
}

/** Whether a text chooses a cloud. The names of clouds contain the word that identifies a chooser. */
const isChooser = (text: string, { cloudOfName }: Clouds): boolean =>
  chooser.test(text.replace(word, (each) => (cloudOfName.has(plainName(each)) ? '' : each)))

/** Whether the block around a key chooses a cloud, such as an input or a variable of the environment with a default. */
function isInChooser(before: string, above: readonly string[], clouds: Clouds): boolean {
  const own = indentOf(before)
  const parent = above.find((line) => {
    const indent = indentOf(line)
    if (line.trim() === '') return false
    return indent < own || (indent === own && /^[\s-]*["']?(?:name|key)["']?\s*[:=]/i.test(line))
  })
  return parent !== undefined && isChooser(parent, clouds)
}

/** The dash of a list is a part of the indent. */
const indentOf = (line: string) => /^[\s-]*/.exec(line)?.[0].length ?? 0
const isQuoted = (before: string) => ['"', "'", '`'].some((quote) => before.split(quote).length % 2 === 0)

function isComparison(before: string): boolean {
  if (defaultKey.test(before)) return false
  if (comparison.test(before)) return true
  const left = before.slice(0, before.length - endOfText(before, /["'`(\w.:]/).length).trimEnd()
  return /[=!]=$/.test(left) || /\bis\s+["']$/i.test(before)
}
