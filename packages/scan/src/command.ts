import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineCommand, exitCodes, UsageError } from '../../../src/cli/command.ts'
import { scanDefinition } from '../../../src/cli/commands/scan.ts'
import { readableWidth } from '../../../src/cli/terminal.ts'
import { writeNewFile } from '../../../src/cli/write-new-file.ts'
import type { CloudFile } from '../../../src/lib/clouds/cloud-file.ts'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import { printable, printableJson } from '../../../src/lib/base/printable.ts'
import type { CloudProfile } from '../../../src/lib/profile/cloud-profile.ts'
import { readProfileFile } from '../../../src/lib/profile/profile-files.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { compareWithBaseline, createBaseline, readBaseline } from './baseline.ts'
import { applyChanges, changedFiles, formatPatch } from './edits.ts'
import { levels } from './finding.ts'
import { formatGithub, formatJson, formatSarif, formatText } from './reports.ts'
import { scanTree } from './scan-tree.ts'

const formats = { text: formatText, json: formatJson, sarif: formatSarif, github: formatGithub }

export const command = defineCommand({
  ...scanDefinition,
  async run({ values, positionals }, terminal) {
    const { format, fix, force, baseline: known, 'fail-on': failOn, 'write-baseline': target } = values
    if (force && !fix) throw new UsageError('--force belongs to --fix')
    const profile = values.for === undefined ? undefined : profileFor(values.for)
    const baseline = known === undefined ? undefined : readBaseline(known)
    const clouds = [...values.cloud, ...filesIn(terminal.env['PLATFORM_KNOWN_CLOUDS'])].map(readCloud)
    const started = performance.now()
    const result = await scanTree({ paths: positionals, clouds, exclude: values.exclude, ...(profile && { profile }) })
    const wanted = result.findings.filter(({ rule }) => values.rule.length === 0 || values.rule.includes(rule))
    const { left, stale } = compareWithBaseline(wanted, baseline?.findings ?? [])
    if (target !== undefined) writeNewFile(target, printableJson(createBaseline(wanted)), { force: true })

    const files = fix || format === 'patch' ? changedFiles(result.root, left, values.module) : []
    if (format === 'patch') terminal.print(formatPatch(files))
    if (fix) applyChanges(result.root, files, force)
    const fixed = new Set(fix ? files.flatMap(({ findings }) => findings) : [])
    if (fix) terminal.note(`Changed ${files.length} files: ${fixed.size} findings fixed`)
    const remaining = left.filter((finding) => !fixed.has(finding))
    if (format !== 'patch')
      terminal.print(
        formats[format]({
          ...result,
          findings: remaining,
          known: wanted.length - left.length,
          stale,
          seconds: (performance.now() - started) / 1000,
          hasNotes: values.notes || failOn === 'note',
          isDetailed: values.details,
          columns: Math.max(40, readableWidth(terminal)),
          hasColors: terminal.colors,
        }),
      )
    const isFailure = remaining.some(({ level }) => levels.indexOf(level) <= levels.indexOf(failOn))
    if (target === undefined && isFailure) return exitCodes.failed
    return result.unreadable.length > 0 ? exitCodes.usage : exitCodes.passed
  },
})

/** A built-in profile unchanged, or a file: the variables of this environment do not describe the cloud of the application. */
function profileFor(nameOrFile: string): CloudProfile {
  if (builtInProfileNames.includes(nameOrFile)) return explainProfile({ name: nameOrFile, env: {} }).profile
  if (!existsSync(nameOrFile))
    throw new UsageError(
      `--for must be a built-in profile (${builtInProfileNames.join(', ')}) or the path of a profile file, but ${printable(nameOrFile)} is neither`,
    )
  return explainProfile({ customProfilePath: nameOrFile, env: {} }).profile
}

/** A profile file, or a subset: not validated, because only its values are read. */
function readCloud(path: string): CloudFile {
  const document = readProfileFile(path) as Partial<CloudFile> | null
  if (typeof document?.name !== 'string' || document.name === '')
    throw new UsageError(`The profile file ${printable(path)} has no name`)
  return document as CloudFile
}

function filesIn(folder: string | undefined): readonly string[] {
  if (folder === undefined || folder.trim() === '') return []
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'schema.json')
    return names.sort().map((name) => join(folder, name))
  } catch (error) {
    throw new UsageError(`PLATFORM_KNOWN_CLOUDS names ${printable(folder)}, which cannot be read`, { cause: error })
  }
}
