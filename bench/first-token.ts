import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { openEnclave } from '../src/cli/enclave-session.ts'
import type { Apps } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import type { FirstToken } from './processes/acquire-token.ts'
import { startChild } from './processes/child.ts'
import type { TokenJob } from './processes/first-token.ts'
import { runProcess } from './processes/run-process.ts'
import type { Row } from './row.ts'

const freshRounds = 30
const rounds = 200
const warmUp = 30

type Runs = Record<'ours' | 'bare', FirstToken[]>

/** The first token of a credential of ours against one of the bare library, from the same enclave. */
export async function benchFirstToken({ directory }: Apps): Promise<Row[]> {
  const { enclave, files, close } = await openEnclave()
  try {
    const scope = `${enclave.resourceManagerAudience}.default`
    const env = cleanEnvironment({ ...enclave.environment('clientSecret', files), BENCH_SCOPE: scope })
    const fresh = await inFreshProcesses(directory, env)
    const warm = await inOneProcess(env)
    return [
      { ...row('from the enclave', warm, 'duration'), target: { atMost: 1.1 }, note },
      row('from the enclave: processor time', warm, 'cpuTime'),
      { ...row('in a fresh process', fresh, 'duration'), note: freshNote },
    ]
  } finally {
    await close()
  }
}

async function inFreshProcesses(directory: string, env: Readonly<Record<string, string>>): Promise<Runs> {
  await esbuild.build({
    bundle: true,
    platform: 'node',
    target: 'node22',
    minify: true,
    logLevel: 'warning',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    entryPoints: ['our-credential', 'bare-credential'].map((name) =>
      fileURLToPath(new URL(`processes/${name}.ts`, import.meta.url)),
    ),
    outdir: directory,
  })
  const probe = fileURLToPath(new URL('processes/first-token-probe.ts', import.meta.url))
  const run = async (bundle: string) => {
    const { stdout } = await runProcess([probe, join(directory, bundle)], env)
    return JSON.parse(stdout) as FirstToken
  }
  return interleave(freshRounds, { ours: () => run('our-credential.cjs'), bare: () => run('bare-credential.cjs') })
}

async function inOneProcess(env: Readonly<Record<string, string>>): Promise<Runs> {
  const child = startChild<TokenJob>('./first-token.ts', [], env)
  try {
    const measurements = {
      ours: () => child.ask<FirstToken>({ credential: 'ours' }),
      bare: () => child.ask<FirstToken>({ credential: 'bare' }),
    }
    await interleave(warmUp, measurements)
    return await interleave(rounds, measurements)
  } finally {
    await child.stop()
  }
}

function row(measure: string, { ours, bare }: Runs, key: keyof FirstToken): Row {
  return {
    measure: `first token ${measure}`,
    value: median(ours.map((each) => each[key])),
    unit: 'ms',
    reference: { name: 'bare library', value: median(bare.map((each) => each[key])) },
    n: ours.length,
  }
}

const freshNote =
  'Fresh processes in turns: from before the code is loaded, each bundled alike and with the same kinds of credential, until the token is there.'
const note =
  `Fresh credentials in turns in one process, after ${warmUp} of each to warm up, each side told its settings beforehand: a new connection with a full TLS handshake, the login ` +
  'document and the token, by client secret. The bare library gets a new HTTP client each time, as ours has.'
