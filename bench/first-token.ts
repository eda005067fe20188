import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { leanCredentialLibrary } from '../scripts/build/bundle-plugins.ts'
import { openEnclave } from '../src/cli/open-enclave.ts'
import type { Apps } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import { tokensInARound, type FirstToken } from './processes/acquire-token.ts'
import { startChild } from './processes/child.ts'
import type { TokenJob } from './processes/first-token.ts'
import { runProcess } from './processes/run-process.ts'
import type { Row } from './row.ts'

const freshRounds = 30
const rounds = 200
const warmUp = 30

type Runs = Record<'ours' | 'bare', FirstToken[]>

/** The first token of our credential against a credential of the library, from the same enclave. */
export async function benchFirstToken({ directory }: Apps): Promise<Row[]> {
  const { enclave, files, close } = await openEnclave()
  try {
    const scope = `${enclave.resourceManagerAudience}.default`
    const env = cleanEnvironment({ ...enclave.environment('clientSecret', files), BENCH_SCOPE: scope })
    const fresh = await inFreshProcesses(directory, env)
    const warm = await inOneProcess(env)
    const cached = await inOneProcess(env, { isCached: true })
    return [
      { ...row('from the enclave', warm, 'duration'), target: { atMost: 1.1 }, note },
      row('from the enclave: processor time', warm, 'cpuTime'),
      {
        ...row('', cached, 'duration'),
        measure: `${tokensInARound} tokens from the cache`,
        target: { atMost: 1.05 },
        note: 'One credential of each kind in one process, in turns. Each call begins after the one before.',
      },
      { ...row('in a fresh process', fresh.asBuilt, 'duration'), target: { atMost: 1.15 }, note: freshNote },
      row('in a fresh process: both bundled in the same way', fresh.alike, 'duration'),
    ]
  } finally {
    await close()
  }
}

async function inFreshProcesses(
  directory: string,
  env: Readonly<Record<string, string>>,
): Promise<Record<'asBuilt' | 'alike', Runs>> {
  const probe = fileURLToPath(new URL('processes/first-token-probe.ts', import.meta.url))
  const measure = async (name: string, entry: string, plugins: esbuild.Plugin[] = []) => {
    const bundle = join(directory, `${name}.cjs`)
    await esbuild.build({
      bundle: true,
      platform: 'node',
      target: 'node22',
      minify: true,
      logLevel: 'warning',
      format: 'cjs',
      entryPoints: [fileURLToPath(new URL(`processes/${entry}.ts`, import.meta.url))],
      outfile: bundle,
      plugins,
    })
    return async () => JSON.parse((await runProcess([probe, bundle], env)).stdout) as FirstToken
  }
  const { ours, alike, bare } = await interleave(freshRounds, {
    ours: await measure('ours', 'our-credential', [leanCredentialLibrary]),
    alike: await measure('alike', 'our-credential'),
    bare: await measure('bare', 'bare-credential'),
  })
  return { asBuilt: { ours, bare }, alike: { ours: alike, bare } }
}

async function inOneProcess(
  env: Readonly<Record<string, string>>,
  job: Pick<TokenJob, 'isCached'> = {},
): Promise<Runs> {
  const child = startChild<TokenJob>('./first-token.ts', [], env)
  try {
    const measurements = {
      ours: () => child.request<FirstToken>({ credential: 'ours', ...job }),
      bare: () => child.request<FirstToken>({ credential: 'bare', ...job }),
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
  'Fresh processes in turns, measured from before the code is loaded until the token has arrived. Both load the same kinds of credential. Ours is bundled as in the release, the library with the defaults of esbuild; in the next row, both with the defaults.'
const note =
  `Fresh credentials in turns in one process, after ${warmUp} of each to warm up. The settings are read before. A new connection, the OpenID ` +
  'configuration and the token, by client secret. Each HTTP client belongs to the process, so that TLS sessions are resumed.'
