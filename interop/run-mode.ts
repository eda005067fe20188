import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordedRequest } from 'cloud-profile-enclave/enclave'
import { type Client, discoveryName, type Mode } from './client.ts'
import type { Names } from './names.ts'
import { openStage } from './stage.ts'

/** What became of one mode of one client. */
export interface ModeResult {
  readonly client: string
  readonly version: string
  readonly mode: string
  readonly authority: string
  readonly passed: boolean
  /** Why it failed, for people. */
  readonly failure?: string
  /** Names that were looked up and are not of this machine. */
  readonly lookups: readonly string[]
  readonly discovery?: Mode['discovery']
}

export interface RunOptions {
  readonly cache: string
  /** Absent without a network namespace. */
  readonly names: Names | undefined
  /** The names that were looked up since the last call. */
  readonly takeLookups: () => string[]
}

/** Runs one mode of a client against a separate enclave. */
export async function runMode(
  client: Client,
  mode: Mode,
  { cache, names, takeLookups }: RunOptions,
): Promise<ModeResult> {
  const home = await mkdtemp(join(tmpdir(), 'interop-'))
  const stage = await openStage(mode, home, { cache, names })
  takeLookups()
  const { enclave } = stage
  const outcome = await mode.run(stage).then(
    () => missing(mode, enclave.requests),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const lookups = [...new Set(takeLookups())].filter((name) => !isOwn(name, names)).toSorted()
  const failure = mode.discovery === 'absent' ? continued(outcome, lookups, enclave.requests) : outcome
  await stage.close()
  // A client may leave a process behind that still writes there; the whole run's directory goes when they are gone.
  await rm(home, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  return {
    client: client.name,
    version: client.version,
    mode: mode.name,
    authority: mode.authority,
    passed: failure === undefined,
    ...(failure === undefined ? {} : { failure }),
    lookups,
    ...(mode.discovery === undefined ? {} : { discovery: mode.discovery }),
  }
}

/** Why a client did not stop at the instance discovery that no host answers; nothing if it did. */
function continued(
  failure: string | undefined,
  lookups: readonly string[],
  requests: readonly RecordedRequest[],
): string | undefined {
  if (failure === undefined) return 'It needs no instance discovery.'
  if (!lookups.includes(discoveryName)) return `It did not ask ${discoveryName}. ${failure}`
  const hasToken = requests.some(
    ({ role, path, status }) => role === 'login' && path.endsWith('token') && status === 200,
  )
  return hasToken ? `It got a token all the same. ${failure}` : undefined
}

/** What the mode should have reached and did not: a token, and what takes it. */
function missing(mode: Mode, requests: readonly RecordedRequest[]): string | undefined {
  const { reaches = ['login', 'resource-manager'] } = mode
  const reached = (role: string): boolean =>
    requests.some(
      ({ role: at, path, status }) =>
        at === role &&
        status === 200 &&
        (role === 'login' ? path.endsWith('token') : !path.includes('/metadata/endpoints')),
    )
  const absent = reaches.filter((role) => !reached(role))
  return absent.length === 0 ? undefined : `No accepted request arrived at: ${absent.join(', ')}.`
}

/** Whether a name is of this machine: given to a server of it, its host name, or a lookup of the name behind its address. */
function isOwn(name: string, names: Names | undefined): boolean {
  return names?.addressOf(name) !== undefined || name === hostname().toLowerCase() || name.endsWith('.arpa')
}
