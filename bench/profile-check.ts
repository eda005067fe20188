import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtInProfiles, defaultProfileName } from '../src/lib/clouds/known-clouds.ts'
import type { Apps } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import type { CommandUse } from './processes/measured-command.ts'
import { runProcess } from './processes/run-process.ts'
import type { Row } from './row.ts'

const rounds = 9
const few = 100
const many = 1000

/** Whole processes of `check`, with few and with many files. */
export async function benchProfileCheck({ directory }: Apps): Promise<Row[]> {
  const files = await writeProfiles(join(directory, 'profiles'), many)
  const wrapper = fileURLToPath(new URL('processes/measured-command.ts', import.meta.url))
  const check = async (count: number) => {
    const { duration, report } = await runProcess([wrapper, 'check', ...files.slice(0, count)], cleanEnvironment())
    const { maxResidentMemory } = JSON.parse(report) as CommandUse
    return { duration, maxResidentMemory }
  }
  const runs = await interleave(rounds, { few: () => check(few), many: () => check(many) })
  const of = (count: keyof typeof runs, key: 'duration' | 'maxResidentMemory') =>
    median(runs[count].map((run) => run[key]))
  const reference = (value: number) => ({ reference: { name: `${few} files`, value } })
  return [
    {
      measure: `profile check of ${many} files: whole process`,
      value: of('many', 'duration'),
      unit: 'ms',
      ...reference(of('few', 'duration')),
      target: { atMost: many / few },
      n: rounds,
      note,
    },
    {
      measure: 'profile check: each further file',
      value: (of('many', 'duration') - of('few', 'duration')) / (many - few),
      unit: 'ms',
      n: rounds,
    },
    {
      measure: `profile check of ${many} files: largest resident memory`,
      value: of('many', 'maxResidentMemory') / 1_000_000,
      unit: 'MB',
      ...reference(of('few', 'maxResidentMemory') / 1_000_000),
      target: { atMost: 2 },
      n: rounds,
    },
  ]
}

const note =
  'Valid custom files with different names and hosts, checked by the TypeScript sources. Ten times the files may take at most ten times the ' +
  'time. Memory that each file keeps would grow tenfold; uncollected garbage does not.'

/** Writes valid profiles that all differ, so that the command can't reuse a result. */
async function writeProfiles(directory: string, count: number): Promise<string[]> {
  await mkdir(directory)
  const base = builtInProfiles.get(defaultProfileName)
  const paths: string[] = []
  for (let index = 0; index < count; index++) {
    const path = join(directory, `profile-${index}.json`)
    const profile = {
      ...base,
      name: `enclave-${index}`,
      displayName: `Enclave ${index}`,
      environment: 'custom',
      authorityHost: `https://login.enclave-${index}.example/`,
      portalUrl: `https://portal.enclave-${index}.example/`,
    }
    await writeFile(path, `${JSON.stringify(profile, undefined, 2)}\n`)
    paths.push(path)
  }
  return paths
}
