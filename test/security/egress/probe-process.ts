import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment } from '../../support/environment.ts'

/** A name that was looked up or a host that was connected to. */
export interface Contact {
  readonly kind: 'lookup' | 'connection'
  readonly host: string
  readonly port?: number
}

/** All that the service does with the cloud that the variables choose, or one bare request. */
export type ProbeOrder =
  | {
      /** The deployed chunk with the diagnostics. */
      readonly chunk: string
      readonly variables: NodeJS.ProcessEnv
    }
  | { readonly url: string }

export interface ProbeResult {
  /** `acquired`, or the code of the failure. */
  readonly token: string
}

type ProbeMessage = { readonly contact: Contact } | { readonly result: ProbeResult }

/** The service in a separate process. */
export interface ProbeProcess {
  /** What one order led to; where the process watches itself, with the contacts that it made meanwhile. */
  run(order: ProbeOrder): Promise<ProbeResult & { readonly contacts: readonly Contact[] }>
  close(): Promise<void>
}

const recorder = fileURLToPath(new URL('children/record-contacts.ts', import.meta.url))

/**
 * @param program The bundled `children/probe-cloud.ts`.
 * @param redirection Variables that have the process watch itself and contact nobody but a cloud of this machine.
 */
export function startProbeProcess(
  program: string,
  variables: NodeJS.ProcessEnv,
  redirection?: NodeJS.ProcessEnv,
): ProbeProcess {
  const child = fork(program, {
    env: cleanEnvironment({ ...redirection, ...variables }),
    execArgv: redirection === undefined ? [] : ['--import', recorder],
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
