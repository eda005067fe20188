import type { AnyCloud, ReceivedRequest } from '../any-cloud.ts'
import { answerAs, type Course } from './answers.ts'
import type { Deployed } from './deployed.ts'
import { secretsIn, type PlantedSecret } from './planted-secrets.ts'
import { startProbeProcess, type Contact, type ProbeProcess } from './probe-process.ts'
import { accounts, hostileVariables, profiles, type ModeSubject, type SubjectFiles } from './subjects.ts'

/** A request, and which secrets came with it. */
export interface AskedHost extends Pick<ReceivedRequest, 'host' | 'method' | 'path'> {
  readonly secrets: readonly PlantedSecret[]
}

/** What one profile under one mode led to, while the hosts answered in one way. */
export interface EgressRow {
  readonly mode: string
  readonly profile: string
  readonly course: Course
  /** `acquired`, or the code of the failure. */
  readonly token: string
  readonly contacts: readonly Contact[]
  readonly requests: readonly AskedHost[]
}

export interface RunOptions {
  readonly cloud: AnyCloud
  readonly deployed: Deployed
  readonly files: SubjectFiles & {
    /** The root certificate of the cloud. */
    readonly authorityPath: string
    /** The file of each custom profile, by label. */
    readonly profilePaths: Readonly<Record<string, string>>
  }
  /** As {@link startProbeProcess} takes it. */
  readonly redirection?: NodeJS.ProcessEnv
  /** Contacts seen from outside of the process since the last call. Default is none. */
  readonly takeContacts?: () => Promise<readonly Contact[]>
}

/** Runs every profile under one mode: against honest hosts, and where it contacts any, against those that mislead. */
export async function runMode(mode: ModeSubject, options: RunOptions): Promise<EgressRow[]> {
  const { cloud, deployed, files, redirection, takeContacts = async () => [] } = options
  const start = () =>
    startProbeProcess(
      deployed.program,
      {
        ...hostileVariables(files),
        ...accounts,
        ...mode.variables(files),
        NODE_EXTRA_CA_CERTS: files.authorityPath,
        PLATFORM_TOKEN_TIMEOUT_MS: '120000',
      },
      redirection,
    )
  const rows: EgressRow[] = []
  let process: ProbeProcess | undefined
  try {
    for (const { label, document, variables, hosts, courses } of profiles) {
      if (mode.profiles?.includes(label) === false) continue
      for (const course of courses) {
        // What a managed identity is answered cannot name a host, but for a redirect.
        if (mode.processEach === true && course.startsWith('foreign')) continue
        process ??= start()
        cloud.answer = (request) => answerAs(request, course)
        const chosen = variables ?? (document === undefined ? { PLATFORM_CLOUD: label } : {})
        const path = files.profilePaths[label]
        const custom = path === undefined ? {} : { CUSTOM_CLOUD_PROFILE_PATH: path }
        const discover = course === 'foreign-answers' ? { PLATFORM_DISCOVER_AUDIENCE: 'true' } : {}
        const { token, contacts } = await process.run({
          chunk: deployed.chunk,
          variables: { ...chosen, ...custom, ...discover },
        })
        const seen = [...contacts, ...(await takeContacts())]
        rows.push({
          mode: mode.label,
          profile: label,
          course,
          token,
          contacts: seen,
          requests: cloud.takeRequests().map(describeRequest),
        })
        // Nothing is remembered where nothing was contacted.
        if (mode.processEach === true && hosts !== undefined) {
          await process.close()
          process = undefined
        }
      }
    }
    return rows
  } finally {
    await process?.close()
  }
}

function describeRequest({ host, method, path, headers, body }: ReceivedRequest): AskedHost {
  return { host, method, path, secrets: secretsIn(`${path}\n${JSON.stringify(headers)}\n${body}`) }
}
