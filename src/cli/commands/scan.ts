import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../lib/base/env.ts'
import { appDirectory } from '../app-directory.ts'
import { defineCommand, formatOption, exitCodes, UsageError } from '../command.ts'

/** What `cloud-profile scan` says and takes, and `cloud-profile-scan` too. */
export const scanDefinition = {
  description:
    'Finds code that binds an application to one cloud, and writes the fix. ' +
    'Reads the files that git tracks; without git, all files that no .gitignore excludes. Executes none of them.',
  options: {
    for: {
      type: 'string',
      value: 'NAME|FILE',
      help: 'target cloud: a built-in profile or a file. Its values are no findings',
    },
    cloud: {
      type: 'string',
      value: 'FILE',
      multiple: true,
      help: 'profile file of a further cloud to recognize. PLATFORM_KNOWN_CLOUDS names a folder of them',
    },
    format: formatOption(['text', 'json', 'sarif', 'github', 'patch']),
    'fail-on': {
      type: 'string',
      value: 'LEVEL',
      help: 'lowest level that fails',
      default: 'warning',
      choices: ['error', 'warning', 'note'],
    },
    rule: {
      type: 'string',
      value: 'RULE',
      multiple: true,
      help: 'report this rule only',
      choices: [
        'HARDCODED_HOST',
        'HARDCODED_AUDIENCE',
        'HARDCODED_CLOUD_NAME',
        'PUBLIC_CLOUD_BY_DEFAULT',
        'ENUMERATED_CLOUDS',
      ],
    },
    exclude: { type: 'string', value: 'PATTERN', multiple: true, help: 'leave out these paths, as in a .gitignore' },
    notes: { type: 'boolean', help: 'list notes too' },
    details: { type: 'boolean', help: 'list every finding, however many there are' },
    baseline: { type: 'string', value: 'FILE', help: 'omit the findings in this file' },
    'write-baseline': { type: 'string', value: 'FILE', help: 'write the findings to this file, and pass' },
    fix: { type: 'boolean', help: 'write the changes that are certain' },
    module: { type: 'string', value: 'PATH', help: 'import the module of an export from here in what --fix writes' },
    force: { type: 'boolean', help: 'let --fix change files with uncommitted changes' },
  },
  positionals: { name: '[PATH…]', most: Infinity, message: 'Name files or folders' },
  notes:
    'A comment `cloud-profile-ignore: REASON` in the line of a finding, or in the line above, omits the finding.\n' +
    'Exit code: 0 no findings, 1 findings, 2 usage error or an unreadable folder, 3 an internal error.',
} as const

/** Where `cloud-profile-scan` is: in a checkout, or beside this package in the same node_modules. */
const files = ['packages/scan/src/cloud-profile-scan.ts', '../cloud-profile-scan/cloud-profile-scan.mjs']

const install =
  'cloud-profile-scan is not installed. Install it from the verified release: npm install --offline ./cloud-profile-scan-VERSION.tgz'

export const command = defineCommand({
  ...scanDefinition,
  description: `${scanDefinition.description} Runs cloud-profile-scan, a separate package of the release.`,
  async run({ values, positionals }, { env }) {
    const file = files.map((each) => join(appDirectory, each)).find((each) => existsSync(each))
    const program = file === undefined ? findProgram('cloud-profile-scan', env) : process.execPath
    if (program === undefined) throw new UsageError(install)
    const options = Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'boolean'
        ? value
          ? [`--${name}`]
          : []
        : [value ?? []].flat().map((each) => `--${name}=${each}`),
    )
    const args = [...(file === undefined ? [] : [file]), ...options, '--', ...positionals]
    const child = spawn(program, args, { stdio: 'inherit', env })
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? exitCodes.fault
  },
})
