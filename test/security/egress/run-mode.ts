import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bundledCommand } from '../../support/build.ts'
import { cleanEnvironment } from '../../support/environment.ts'
import type { AnyCloud, ReceivedRequest } from '../any-cloud.ts'
import { answerAs, type Course } from './answers.ts'
import { type PlantedSecret, secretsIn } from './answers.ts'
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
  readonly files: SubjectFiles & {
    /** The root certificate of the cloud. */
    readonly authorityPath: string
    /** The file of each custom profile, by label. */
    readonly profilePaths: Readonly<Record<string, string>>
  }
  /** As {@link startProbeProcess} takes it. */
  readonly redirection: NodeJS.ProcessEnv
}

/** Runs every profile under one mode: against honest hosts, and where it contacts any, against those that mislead. */
export async function runMode(mode: ModeSubject, options: RunOptions): Promise<EgressRow[]> {
  const { cloud, files, redirection } = options
  const start = () =>
    startProbeProcess(
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
          variables: { ...chosen, ...custom, ...discover },
        })
        rows.push({
          mode: mode.label,
          profile: label,
          course,
          token,
          contacts,
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

/** A name that was looked up or a host that was connected to. */
export interface Contact {
  readonly kind: 'lookup' | 'connection'
  readonly host: string
  readonly port?: number
}

/** All that the service does with the cloud that the variables choose. */
export interface ProbeOrder {
  readonly variables: NodeJS.ProcessEnv
}

export interface ProbeResult {
  /** `acquired`, or the code of the failure. */
  readonly token: string
}

type ProbeMessage = { readonly contact: Contact } | { readonly result: ProbeResult }

/** The service in a separate process. */
interface ProbeProcess {
  /** What one order led to, with the contacts that it made meanwhile. */
  run(order: ProbeOrder): Promise<ProbeResult & { readonly contacts: readonly Contact[] }>
  close(): Promise<void>
}

const recorder = fileURLToPath(new URL('children/record-contacts.ts', import.meta.url))

/**
 * The bundled `children/probe-cloud.ts`.
 *
 * @param redirection The ports of a cloud on this machine: the process reports each contact, and reaches nothing but these ports.
 */
function startProbeProcess(variables: NodeJS.ProcessEnv, redirection: NodeJS.ProcessEnv): ProbeProcess {
  const child = fork(bundledCommand('probe-cloud'), {
    env: cleanEnvironment({ ...redirection, ...variables }),
    execArgv: ['--import', recorder],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'exit')
  return {
    async run(order) {
      const contacts: Contact[] = []
      const result = receive(child, contacts)
      child.send(order)
      const failed = ended.then(() => {
        throw new Error(`The probe ended:\n${errors}`)
      })
      return { ...(await Promise.race([result, failed])), contacts }
    },
    async close() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function receive(child: ChildProcess, contacts: Contact[]): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const listen = (message: ProbeMessage) => {
      if ('contact' in message) {
        contacts.push(message.contact)
        return
      }
      child.off('message', listen)
      resolve(message.result)
    }
    child.on('message', listen)
  })
}
