import { spawnSync } from 'node:child_process'
import { appDirectory } from '../src/cli/app-directory.ts'
import { defineCommand, exitCodes } from '../src/cli/command.ts'

/** The static checks by name. npm adds the programs of `node_modules` to PATH. */
const steps: Readonly<Record<string, string>> = {
  types: 'tsc --noEmit',
  lint: 'oxlint --type-aware',
  'import rules': 'depcruise src packages --config .dependency-cruiser.mjs',
  'unused code': 'knip',
  format: 'oxfmt --check',
  'generated files': 'node scripts/main.ts generate --check',
  words: 'vitest run test/words.test.ts',
  // Comments may contain public hosts.
  'hosts of other clouds':
    'hosts=$(node src/cli/from-sources.js clouds --format hosts --not platform-us-government) && ' +
    String.raw`! grep -rnF "$hosts" src | grep -vE ':[0-9]+: *(/?[*]|//)'`,
}

export const command = defineCommand({
  description: 'Runs every static check, prints the output of failed checks, and lists their names at the end.',
  options: {},
  run(_given, { printRaw, note, env }) {
    const failed = Object.entries(steps).flatMap(([name, line]) => {
      const options = { cwd: appDirectory, env, shell: true, encoding: 'utf8' } as const
      const { status, stdout, error } = spawnSync(`${line} 2>&1`, options)
      if (status === 0) return []
      note(`${name}: ${line}`)
      printRaw(error === undefined ? stdout : `${error.message}\n`)
      return [name]
    })
    if (failed.length > 0) note(`Failed: ${failed.join(', ')}`)
    return Promise.resolve(failed.length > 0 ? exitCodes.failed : exitCodes.passed)
  },
})
