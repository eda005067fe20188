import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bundledCommand } from '../../support/build.ts'
import { cleanEnvironment } from '../../support/environment.ts'
import type { AnyCloud } from '../any-cloud.ts'
import { answerAs, type Course, type PlantedSecret, secretsIn } from './answers.ts'
import type { PreparedFiles } from './prepare.ts'
import { accounts, hostileVariables, profiles, type ModeSubject } from './subjects.ts'

/** What one profile under one mode led to, while the hosts answered in one way. */
export interface EgressRow {
  readonly mode: string
  readonly profile: string
  readonly course: Course
  /** `acquired`, or the code of the failure. */
  readonly token: string
  /** Each name that was looked up, and each host that was connected to. */
  readonly contacts: readonly string[]
  readonly requests: readonly { readonly host: string; readonly method: string; readonly secrets: PlantedSecret[] }[]
}

const recorder = fileURLToPath(new URL('children/record-contacts.ts', import.meta.url))

/** Runs every profile under one mode: against honest hosts, and where it contacts any, against those that mislead. */
export async function runMode(mode: ModeSubject, files: PreparedFiles, cloud: AnyCloud): Promise<EgressRow[]> {
  const start = () =>
    startProbe({
      ...hostileVariables(files),
      ...accounts,
      ...mode.variables(files),
      NODE_EXTRA_CA_CERTS: files.authorityPath,
      PLATFORM_TOKEN_TIMEOUT_MS: '120000',
      EGRESS_SECURE_PORT: String(cloud.securePort),
      EGRESS_PLAIN_PORT: String(cloud.plainPort),
    })
  const rows: EgressRow[] = []
  let probe: ReturnType<typeof start> | undefined
  try {
    for (const { label, document, variables, hosts, courses } of profiles) {
      if (mode.profiles?.includes(label) === false) continue
      for (const course of courses) {
        // What a managed identity is answered cannot name a host, but for a redirect.
        if (mode.processEach === true && course.startsWith('foreign')) continue
        probe ??= start()
        cloud.answer = (request) => answerAs(request, course)
        const { token, contacts } = await probe.run({
          ...(variables ?? (document === undefined ? { PLATFORM_CLOUD: label } : {})),
          ...(document === undefined ? {} : { CUSTOM_CLOUD_PROFILE_PATH: files.profilePaths[label] }),
          ...(course === 'foreign-answers' ? { PLATFORM_DISCOVER_AUDIENCE: 'true' } : {}),
        })
        const requests = cloud.takeRequests().map(({ host, method, path, headers, body }) => {
          return { host, method, secrets: secretsIn(`${path}\n${JSON.stringify(headers)}\n${body}`) }
        })
        rows.push({ mode: mode.label, profile: label, course, token, contacts, requests })
        // Nothing is remembered where nothing was contacted.
        if (mode.processEach === true && hosts !== undefined) {
          await probe.close()
          probe = undefined
        }
      }
    }
    return rows
  } finally {
    await probe?.close()
  }
}

/** The bundled `children/probe-cloud.ts`, which reports each contact and reaches nothing but the ports of the cloud on this machine. */
function startProbe(variables: NodeJS.ProcessEnv) {
  const child = fork(bundledCommand('probe-cloud'), {
    env: cleanEnvironment(variables),
    execArgv: ['--import', recorder],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'exit')
  return {
    /** What one choice of a cloud led to, with the contacts meanwhile. */
    async run(chosen: NodeJS.ProcessEnv) {
      const contacts: string[] = []
      const result = new Promise<string>((resolve) => {
        child.removeAllListeners('message').on('message', (message: { contact?: string; token?: string }) => {
          if (message.contact !== undefined) contacts.push(message.contact)
          if (message.token !== undefined) resolve(message.token)
        })
      })
      child.send(chosen)
      const failed = ended.then(() => {
        throw new Error(`The probe ended:\n${errors}`)
      })
      return { token: await Promise.race([result, failed]), contacts }
    },
    async close() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
