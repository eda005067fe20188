import { connect } from 'node:net'
import { startAnyCloud, type AnyCloud } from '../../any-cloud.ts'
import { prepareFiles } from '../prepare.ts'
import { startProbeProcess, type Contact } from '../probe-process.ts'
import { runMode, type EgressRow } from '../run-mode.ts'
import { modes } from '../subjects.ts'
import { startNameServer, type NameServer } from './name-server.ts'
import { readNetworkCounters } from './network-counters.ts'

// Runs inside of the namespace, where every address is local: answers all names and all hosts, runs the modes that its
// arguments name after a directory for files, the deployed chunk and the program that loads it, and prints what was contacted as JSON.

/** What the parent reads. */
export interface NamespaceReport {
  readonly rows: readonly EgressRow[]
  /** Contacts of a request to a host that nobody named. */
  readonly control: readonly Contact[]
  /** Contacts of a request to a port that nothing listens on. */
  readonly closedPort: readonly Contact[]
}

/** From here the recorder itself connects, to know that it has seen all that came before. */
const fence = '127.255.0.1'

/** Contacts as the outside sees them: names that were asked for, connections that were accepted, and what else was counted. */
function createRecorder(cloud: AnyCloud, names: NameServer): () => Promise<Contact[]> {
  let counted = readNetworkCounters()
  let received = names.received()
  return async () => {
    for (const port of [cloud.securePort, cloud.plainPort]) {
      const seen = cloud.connected(fence)
      const socket = connect(port, fence).on('error', () => {})
      await seen
      socket.destroy()
    }
    const accepted = cloud.takeConnections()
    const now = readNetworkCounters()
    const others = now.connections - counted.connections - accepted.length
    // Each question that arrived was sent as one datagram, and so was its answer.
    const datagrams = now.datagrams - counted.datagrams - 2 * (names.received() - received)
    counted = now
    received = names.received()
    return [
      ...names.takeNames().map((host): Contact => ({ kind: 'lookup', host })),
      ...accepted
        .filter(({ address }) => address !== fence)
        .map(({ address, port }): Contact => ({ kind: 'connection', host: names.nameOf(address) ?? address, port })),
      ...Array.from({ length: Math.max(0, others) }, (): Contact => ({ kind: 'connection', host: 'a closed port' })),
      ...Array.from({ length: Math.max(0, datagrams) }, (): Contact => ({ kind: 'lookup', host: 'a datagram' })),
    ]
  }
}

// Whoever started this is gone: so is its reason. The namespace ends with it.
process.stdin.resume().once('close', () => process.exit(1))

const [directory = '', chunk = '', program = '', ...labels] = process.argv.slice(2)
const { ca, files } = await prepareFiles(directory)
const names = await startNameServer(53)
const cloud = await startAnyCloud({ ca, address: '0.0.0.0', securePort: 443, plainPort: 80 })
const takeContacts = createRecorder(cloud, names)

const contactsOf = async (url: string): Promise<Contact[]> => {
  const probe = startProbeProcess(program, {})
  await probe.run({ url })
  await probe.close()
  return takeContacts()
}
const control = await contactsOf('https://foreign.example.test/')
const closedPort = await contactsOf('http://192.0.2.1:8080/')
cloud.takeRequests()

const rows: EgressRow[] = []
for (const mode of modes.filter(({ label }) => labels.includes(label))) {
  rows.push(...(await runMode(mode, { cloud, deployed: { chunk, program }, files, takeContacts })))
}
const report: NamespaceReport = { rows, control, closedPort }
process.stdout.write(JSON.stringify(report), () => process.exit(0))
