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

const rounds = 3
const few = 100
const many = 1000

/** Whole processes of `check`, with few and with many files. */
export async function benchProfileCheck({ directory }: Apps): Promise<Row[]> {
  const files = await writeProfiles(join(directory, 'profiles'), many)
  const wrapper = fileURLToPath(new URL('processes/measured-command.ts', import.meta.url))
  const check = async (count: number, ...flags: readonly string[]) => {
    const args = [...flags, wrapper, 'check', ...files.slice(0, count)]
    return JSON.parse((await runProcess(args, cleanEnvironment())).report) as CommandUse
  }
  const runs = await interleave(rounds, {
    many: () => check(many),
    // The collections take time, so these are separate runs.
    fewHeap: () => check(few, '--expose-gc'),
    manyHeap: () => check(many, '--expose-gc'),
  })
  const megabytes = (each: readonly CommandUse[]) => median(each.map(({ liveHeap }) => liveHeap)) / 1_000_000
  return [
    {
      measure: `profile check of ${many} files: processor time`,
      value: median(runs.many.map(({ cpuTime }) => cpuTime)),
      unit: 'ms',
      atMost: 4200,
      n: rounds,
      note: 'Valid custom files with different names and hosts, checked by the TypeScript sources.',
    },
    {
      measure: `profile check of ${many} files: live heap`,
      value: megabytes(runs.manyHeap),
      unit: 'MB',
      reference: { name: `${few} files`, value: megabytes(runs.fewHeap) },
      atMost: 1.3,
      n: rounds,
      note: 'The largest heap after a full collection, ten times a second. What the command keeps of each file would grow tenfold.',
    },
  ]
}

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
