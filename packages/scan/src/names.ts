import { endOfText } from '../../../src/lib/base/printable.ts'
import { plainName, type Clouds } from './clouds.ts'
import type { FixLanguage } from './languages.ts'
import type { Source } from './source.ts'

/** A name of a cloud in a text. */
export interface NameOccurrence {
  readonly start: number
  readonly end: number
  readonly cloud: string
  /** Whether a setting or an argument chooses the cloud here. A comparison, a case or a network tag does not. */
  readonly isChoice: boolean
  /** Whether the name is a value of a list of what a setting may be. */
  readonly isListed: boolean
}

type Found = Omit<NameOccurrence, 'isListed'>

/** Settings that choose a cloud by a plain word, or constants whose last word alone is ambiguous. The last group is the name. */
const settings: readonly (readonly [pattern: RegExp, clouds: Readonly<Record<string, string>>])[] = [
  [
    /(?:ARM_ENVIRONMENT|AZURE_ENVIRONMENT|AZURE_CLOUD_NAME|cloud_environment_name|azure(?:-native)?:environment)["']?\s*(?:\?=|=>?|:)+\s*(?:\$\{\w+:-)?["']?(public|usgovernment|china)\b/gi,
    { public: 'public', usgovernment: 'usgovernment', china: 'china' },
  ],
  [
    /\bcloud[-_]?type["']?\s*[:=]\s*["']?(azure(?:_china|_us_government)?)\b(?!\w|[.{])/gi,
    { azure: 'public', azurechina: 'china', azureusgovernment: 'usgovernment' },
  ],
  [
    /\benvironmentType["']?\s*:\s*["']?(PublicCloud|USGovernmentCloud|ChinaCloud)\b/g,
    { publiccloud: 'public', usgovernmentcloud: 'usgovernment', chinacloud: 'china' },
  ],
  [
    /\bConnect-MgGraph\b[^|;\n]{0,300}\s-Environment\s+["']?(Global|USGov|USGovDoD|China)\b/gi,
    { global: 'public', usgov: 'usgovernment', usgovdod: 'usgovernment', china: 'china' },
  ],
  [
    /\bAzureEnvironment\.(AZURE|AZURE_US_GOVERNMENT|AZURE_CHINA)(?!\w)/g,
    { azure: 'public', azureusgovernment: 'usgovernment', azurechina: 'china' },
  ],
  [
    /\bContainerRegistryAudience\.(AzureResourceManager(?:PublicCloud|Government|China))\b/g,
    {
      azureresourcemanagerpubliccloud: 'public',
      azureresourcemanagergovernment: 'usgovernment',
      azureresourcemanagerchina: 'china',
    },
  ],
  [
    /\bazure\.(PublicCloud|USGovernmentCloud|ChinaCloud)\b/g,
    { publiccloud: 'public', usgovernmentcloud: 'usgovernment', chinacloud: 'china' },
  ],
]

const word = /[A-Za-z][A-Za-z0-9_]*/g
const programs = new Set<FixLanguage>(['typescript', 'python', 'go', 'dotnet', 'java', 'rust', 'cpp'])
/** A longer line is no setting. */
const longestLine = 2000

/** Every name of a cloud in the lines where the matcher found one. */
export function findNames({ hits, lines, language, path }: Source, clouds: Clouds): readonly NameOccurrence[] {
  const rows = new Set(hits.filter(({ kind }) => kind === 'name').map(({ end }) => lines.rowOf(end - 1)))
  return [...rows].flatMap((row) => {
    const from = lines.startOf(row)
    const reader = new LineReader(
      lines.textOf(row, longestLine),
      linesAbove(lines, row),
      programs.has(language.fix),
      clouds,
      path,
    )
    const found = reader.names()
    if (found.length === 0) return []
    const isListed = isInListOfAllowed(lines, row)
    return found.map((each) => ({
      ...each,
      start: from + each.start,
      end: from + each.end,
      isListed: isListed && !(each.isChoice && defaultKey.test(reader.line.slice(0, each.start))),
    }))
  })
}

const linesAbove = (lines: Source['lines'], row: number) =>
  Array.from({ length: Math.min(8, row) }, (_, index) => lines.textOf(row - 1 - index, 400))

const allowedValues =
  /\b(?:choices|one_?of|enum|allowed\w*|ValidateSet|validation)\b|^\s*(?:values|options)\s*:\s*(?:\[|$)/i

/** Whether a line, or the line above those that hold a name each, opens a list of the values that a setting may have. */
function isInListOfAllowed(lines: Source['lines'], row: number): boolean {
  for (let each = row; each >= Math.max(0, row - 8); each--) {
    const line = lines.textOf(each, 500)
    if (allowedValues.test(line)) return true
    if (!/^(?:-\s*)?["']?[\w.]*["']?,?$/.test(line.trim())) return false
  }
  return false
}

/** Constructs that read a name and choose no cloud. */
const comparison =
  /=~|\s-(?:eq|ne|like|match|in|contains)\s|\b(?:case|when|choices|one_?of|enum)\b|\bequals\w*\(|EqualFold\(|starts_?with\(|\b(?:includes|contains)\(|allowed|ValidateSet/i
/** The key of a default, which chooses even beside a list of what may be chosen. */
const defaultKey = /\bdefault(?:_?value)?["']?\s*[:=]\s*["'`]?$/i
const constant =
  /(?:\b(?:\w*(?:AuthorityHosts?|CloudInstance|Environments?|Clouds?|Audience)|EnvironmentName|environments|cloud|azure|azcloud|AZURE_CLOUD|azure_cloud)(?:\.|::)|\b(?:import|authority_hosts::)\s*)$/
const chooser = /(?:cloud|environment|[_-]env\b|\benv[_-]|\bcloud_?setting\b)/i
/** `azEnv`, but not `seven`. */
const shortChooser = /[a-z]Env\b/
/** A setting whose value is the name, without quotes. */
const bareSetting = /(?:cloud|environment)[\w-]*["']?\s*[:=]\s*$/i
/** A key with a generic name: its parent, or a `name` beside it, has the meaning. */
const plainKey = /^[\s-]*["']?(?:default(?:_?value)?|value)["']?\s*(?::|=)\s*["']?$/i

/** One line with those above it. */
class LineReader {
  readonly line: string
  readonly #above: readonly string[]
  readonly #isProgram: boolean
  readonly #clouds: Clouds
  readonly #isYaml: boolean

  constructor(line: string, above: readonly string[], isProgram: boolean, clouds: Clouds, path: string) {
    this.line = line
    this.#above = above
    this.#isProgram = isProgram
    this.#clouds = clouds
    this.#isYaml = /\.ya?ml/i.test(path)
  }

  names(): readonly Found[] {
    const { line } = this
    const found: Found[] = []
    for (const { index: start, 0: text } of line.matchAll(word)) {
      const cloud = this.#clouds.cloudOfName.get(plainName(text))
      if (cloud === undefined) continue
      const before = line.slice(0, start)
      const isSet = bareSetting.test(before) && this.#isYaml
      // `azureCloud` is a variable or a field. No tool writes a name so, and no library has a constant `AzureCloud`.
      if (!isSet && /^[a-z].*[A-Z]/.test(text)) continue
      if (this.#isProgram && text === 'AzureCloud' && !isQuoted(line, start)) continue
      found.push({
        start,
        end: start + text.length,
        cloud,
        isChoice: isSet || this.#isChoice(start, start + text.length),
      })
    }
    for (const [pattern, names] of settings) {
      for (const match of line.matchAll(pattern)) {
        const text = match[1] ?? ''
        const start = match.index + match[0].lastIndexOf(text)
        const cloud = names[plainName(text)]
        if (cloud === undefined || found.some((each) => each.start === start)) continue
        // Reading a property of the cloud selects none.
        const isRead = /^(?:\.|\(\)\.)/.test(line.slice(start + text.length)) && text.startsWith('AZURE')
        found.push({
          start,
          end: start + text.length,
          cloud,
          isChoice: !isRead && !isComparison(line.slice(0, match.index)),
        })
      }
    }
    return found
  }

  #isChoice(start: number, end: number): boolean {
    const { line } = this
    const [before, after, text] = [line.slice(0, start), line.slice(end), line.slice(start, end)]
    // `AzureCloud.WestEurope` is a tag of a network rule, `AzureCloudInstance` another word.
    if (/^\.[A-Za-z]/.test(after) && /["'`:\s=]$/.test(before)) return false
    if (isComparison(before)) return false
    const isExact = this.#clouds.exactNames.has(text) || text === text.toUpperCase()
    if (constant.test(before))
      return isExact && !/^(?:\.|\(\)\.|\[)/.test(after) && !/\b(?:import|using|from)\b/.test(before)
    // Names of variables are written alike: another case is a name only as a value.
    if (!isExact && !/["'`=]$|:-$/.test(before)) return false
    // A key of a map, and the name of a definition.
    if (/^["'`]?\s*(?::|=>|=[^=])/.test(after) && !/[:=]\s*["'`]?$/.test(before)) return false
    if (!/(?:["'`=:]|\s|:-|\()$/.test(before)) return false
    if (this.#isChooser(before)) return true
    if (plainKey.test(before)) return this.#isInChooser(before)
    return /\breturn\s+["'`]$/.test(before) && this.#above.slice(0, 4).some((each) => chooser.test(each))
  }

  #isChooser(text: string): boolean {
    // The names of clouds contain the word that identifies a chooser.
    const others = text.replace(word, (each) => (this.#clouds.cloudOfName.has(plainName(each)) ? '' : each))
    return chooser.test(others) || shortChooser.test(text)
  }

  /** Whether the block around a key chooses a cloud, such as an input or a variable of the environment with a default. */
  #isInChooser(before: string): boolean {
    const own = indentOf(before)
    for (const line of this.#above) {
      if (line.trim() === '') continue
      const indent = indentOf(line)
      if (indent < own || (indent === own && /^[\s-]*["']?(?:name|key)["']?\s*[:=]/i.test(line)))
        return this.#isChooser(line)
    }
    return false
  }
}

/** The dash of a list is a part of the indent. */
const indentOf = (line: string) => /^[\s-]*/.exec(line)?.[0].length ?? 0
const isQuoted = (line: string, at: number) =>
  ['"', "'", '`'].some((quote) => line.slice(0, at).split(quote).length % 2 === 0)

function isComparison(before: string): boolean {
  if (defaultKey.test(before)) return false
  if (comparison.test(before)) return true
  const left = before.slice(0, before.length - endOfText(before, /["'`(\w.:]/).length).trimEnd()
  if (/[=!]=$/.test(left)) return true
  const unquoted = /["']$/.test(before) ? before.slice(0, -1) : ''
  const subject = unquoted.trimEnd()
  return subject.length < unquoted.length && /\bis$/i.test(subject)
}
