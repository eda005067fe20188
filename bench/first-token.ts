import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { leanCredentialLibrary } from '../scripts/build/bundle-plugins.ts'
import { startEnclave, writeEnclaveFiles } from 'cloud-profile-enclave/enclave'
import { type Apps, repository } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import { tokensInARound, type FirstToken } from './processes/acquire-token.ts'
import { startChild } from './processes/child.ts'
import type { TokenJob } from './processes/first-token.ts'
import { runProcess } from './processes/run-process.ts'
import type { Row } from './row.ts'

const freshRounds = 25
const rounds = 200
const warmUp = 30

type Runs = Record<'ours' | 'bare', FirstToken[]>

/** The first token of our credential against a credential of the library, from the same enclave. */
export async function benchFirstToken({ directory }: Apps): Promise<Row[]> {
  const enclave = await startEnclave()
  const files = await writeEnclaveFiles(enclave, join(directory, 'enclave'))
  try {
    const scope = `${enclave.resourceManagerAudience}.default`
    const env = cleanEnvironment({ ...enclave.environment('clientSecret', files), BENCH_SCOPE: scope })
    const fresh = await inFreshProcesses(directory, env)
    const warm = await inOneProcess(env)
    const cached = await inOneProcess(env, { isCached: true })
    return [
      row('first token in a fresh process', fresh, 'duration', 1.15, freshNote),
      row(
        'memory after the first token in a fresh process',
        { ours: fresh.ours, bare: fresh.installed },
        'residentMemory',
        0.95,
        'The library as npm installs it, without a bundler.',
      ),
      row('first token of a fresh credential from the enclave', warm, 'duration', 1.2, note),
      row(
        `${tokensInARound} tokens from the cache`,
        cached,
        'duration',
        0.03,
        'One credential of each kind in one process, in turns. Each call begins after the one before.',
      ),
    ]
  } finally {
    await enclave.close()
  }
}

async function inFreshProcesses(directory: string, env: Readonly<Record<string, string>>) {
  const probe = fileURLToPath(new URL('processes/first-token-probe.ts', import.meta.url))
  const measure = async (name: string, folder: string, options: esbuild.BuildOptions) => {
    const bundle = join(folder, `${name}.cjs`)
    await esbuild.build({
      bundle: true,
      platform: 'node',
      target: 'node22',
      minify: true,
      logLevel: 'warning',
      format: 'cjs',
      entryPoints: [fileURLToPath(new URL(`processes/${name}.ts`, import.meta.url))],
      outfile: bundle,
      ...options,
    })
    return async () => JSON.parse((await runProcess([probe, bundle], env)).stdout) as FirstToken
  }
  return interleave(freshRounds, {
    ours: await measure('our-credential', directory, { plugins: [leanCredentialLibrary] }),
    bare: await measure('bare-credential', directory, {}),
    installed: await measure('bare-credential', join(repository, 'node_modules/.cache'), { packages: 'external' }),
  })
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

function row(measure: string, { ours, bare }: Runs, key: keyof FirstToken, atMost: number, note: string): Row {
  const isMemory = key === 'residentMemory'
  const valueOf = (runs: readonly FirstToken[]) => median(runs.map((each) => each[key])) / (isMemory ? 1_000_000 : 1)
  return {
    measure,
    value: valueOf(ours),
    unit: isMemory ? 'MB' : 'ms',
    reference: { name: 'bare library', value: valueOf(bare) },
    atMost,
    n: ours.length,
    note,
  }
}

const freshNote =
  'Fresh processes in turns, measured from before the code is loaded until the token has arrived. Both load the same kinds of credential. Ours is bundled as in the release, the library with the defaults of esbuild.'
const note =
  `Fresh credentials in turns in one process, after ${warmUp} of each to warm up. The settings are read before. A new connection, the OpenID ` +
  'configuration and the token, by client secret. Each HTTP client belongs to the process, so that TLS sessions are resumed.'
