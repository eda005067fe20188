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

/** The first token of a credential of ours against one of the bare library, from the same enclave. */
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
        note: 'One credential of each side in one process, in turns; each call is awaited before the next.',
      },
      { ...row('in a fresh process', fresh.asBuilt, 'duration'), target: { atMost: 1.15 }, note: freshNote },
      row('in a fresh process: both bundled alike', fresh.alike, 'duration'),
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
      ours: () => child.ask<FirstToken>({ credential: 'ours', ...job }),
      bare: () => child.ask<FirstToken>({ credential: 'bare', ...job }),
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
  'Fresh processes in turns, from before the code is loaded until the token is there, with the same kinds of credential. Ours is bundled as the release bundles it, the bare library as esbuild does by default; in the next row ours too.'
const note =
  `Fresh credentials in turns in one process, after ${warmUp} of each to warm up, each side with its settings read before: a new connection, the OpenID ` +
  'configuration and the token, by client secret. On both sides the HTTP client belongs to the process, so that TLS sessions are resumed.'
