import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rootCertificates } from 'node:tls'
import { type Apps, repository } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import { residentMemory, startPackaged } from './packaged.ts'
import { runProcess } from './processes/run-process.ts'
import type { Row } from './row.ts'

const rounds = 20
const startRounds = 20
/** Milliseconds without a request after which a service counts as idle. */
const idleAfter = 2000

/** As many certificates as a Linux distribution trusts. Node has fewer, so some are repeated. */
const trusted = [...rootCertificates, ...rootCertificates].slice(0, 144)

/** Processes of the packaged command: two short commands, and the server from its start until it listens. */
export async function benchPackage({ packaged, directory }: Apps): Promise<Row[]> {
  const command = join(packaged, 'dist/cli/cloud-profile.cjs')
  const bundle = join(directory, 'ca-certificates.pem')
  await writeFile(bundle, trusted.join('\n'))
  const run = async (...args: readonly string[]) =>
    (await runProcess(args, cleanEnvironment({ NODE_EXTRA_CA_CERTS: bundle }))).duration
  const sources = join(repository, 'src/cli/from-sources.js')
  const { explain, smokeTest, unpacked, nothing } = await interleave(rounds, {
    explain: () => run(command, 'explain'),
    smokeTest: () => run(command, 'smoke-test', '--all'),
    unpacked: () => run(sources, 'smoke-test', '--all'),
    nothing: () => run('-e', '0'),
  })
  const short = (measure: string, runs: readonly number[], atMost: number, note: string): Row => ({
    measure: `${measure}: whole process`,
    value: median(runs),
    unit: 'ms',
    reference: { name: 'node -e 0', value: median(nothing) },
    atMost,
    n: rounds,
    note: `${note}, with ${trusted.length} certificates in NODE_EXTRA_CA_CERTS.`,
  })
  const { serve, bare } = await interleave(startRounds, {
    serve: () => start(packaged),
    bare: () => run('-e', '0'),
  })
  const memory = await interleave(3, { serve: () => idleMemory(packaged) })
  return [
    short('cloud-profile explain', explain, 3, 'The command of the package'),
    short('cloud-profile smoke-test --all', smokeTest, 3, 'The command of the package'),
    short(
      'npm run smoke-test -- --all',
      unpacked,
      5,
      'The TypeScript sources, with the compile cache of an earlier run',
    ),
    {
      measure: 'cloud-profile serve: start to listening',
      value: median(serve),
      unit: 'ms',
      reference: { name: 'node -e 0', value: median(bare) },
      atMost: 2.8,
      n: startRounds,
      note: 'From the start of the process until it has printed that it listens.',
    },
    {
      measure: 'cloud-profile serve: resident memory when idle',
      value: median(memory.serve),
      unit: 'MB',
      atMost: 63,
      n: 3,
      note: `From the operating system, ${idleAfter / 1000} s after the start, without a request.`,
    },
  ]
}

async function start(directory: string): Promise<number> {
  const started = performance.now()
  const server = await startPackaged(directory)
  const duration = performance.now() - started
  await server.stop()
  return duration
}

async function idleMemory(directory: string): Promise<number> {
  const server = await startPackaged(directory)
  try {
    await sleep(idleAfter)
    return await residentMemory(server.pid)
  } finally {
    await server.stop()
  }
}
