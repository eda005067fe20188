import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { DirectContact } from './isolate.ts'

/**
 * The ports at which direct connections are seen. At every other port the system refuses them, and only the name is known.
 * A program may listen at other ports.
 */
const watchedPorts = [
  21, 22, 25, 80, 389, 443, 445, 465, 587, 636, 1433, 2049, 3306, 3389, 5432, 5671, 5672, 5986, 6380, 6432, 6443, 8883,
  9093, 9350, 10_000, 10_250, 10_255, 10_350,
]

/**
 * The part of `run --isolate` within the network namespace: leads the proxy's port to its socket, answers names, and refuses connections
 * that do not use the proxy.
 *
 * @param folder The private folder with the sockets.
 */
export async function serveInside(folder: string, port: number): Promise<void> {
  const events = connect(`${folder}/events`)
  await once(events, 'connect')
  const report = (contact: DirectContact) => void events.write(`${JSON.stringify(contact)}\n`)
  const names = new Map<string, string>()
  await Promise.all([
    listen(bridgeTo(`${folder}/proxy`), port, '127.0.0.1'),
    serveNames(names, (host) => report({ host, port: null })),
    ...watchedPorts.map(async (watched) => {
      const server = createServer((socket) => {
        const address = socket.localAddress ?? ''
        socket.on('error', () => {})
        socket.resetAndDestroy()
        report({ host: names.get(address) ?? address, port: watched })
      })
      await listen(server, watched, '0.0.0.0')
    }),
  ])
  events.unref()
}

function bridgeTo(path: string): Server {
  return createServer({ allowHalfOpen: true }, (client: Socket) => {
    const remote = connect({ path, allowHalfOpen: true })
    client.on('error', () => remote.destroy())
    remote.on('error', () => client.destroy())
    client.pipe(remote).pipe(client)
  })
}

async function listen(server: Server, port: number, address: string): Promise<void> {
  server.unref()
  server.listen(port, address)
  await once(server, 'listening')
}

/** A name server (RFC 1035) that gives each name an address of its network, and reports it. */
async function serveNames(names: Map<string, string>, onLookup: (name: string) => void): Promise<void> {
  const addresses = new Map<string, readonly number[]>()
  const socket = createSocket('udp4')
  socket.unref()
  socket.on('message', (query, { address, port }) => {
    const question = readQuestion(query)
    if (question === undefined) return
    const { name, isAddress, end } = question
    if (!name.endsWith('.arpa')) onLookup(name)
    // Of the network for carriers (RFC 6598): programs treat private and loopback addresses in other ways.
    const next = addresses.size + 1
    const found = addresses.get(name) ?? [100, 64 + ((next >> 16) & 63), (next >> 8) & 255, next & 255]
    addresses.set(name, found)
    names.set(found.join('.'), name)
    socket.send(respond(query.subarray(0, end), isAddress ? found : undefined), port, address)
  })
  socket.bind(53, '127.0.0.1')
  await once(socket, 'listening')
}

interface Question {
  readonly name: string
  /** Whether it asks for an IPv4 address. */
  readonly isAddress: boolean
  /** Where the question ends. */
  readonly end: number
}

function readQuestion(query: Buffer): Question | undefined {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0 && length < 64; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const end = at + 5
  if (query.length < end) return undefined
  return { name: labels.join('.').toLowerCase(), isAddress: query.readUInt16BE(at + 1) === 1, end }
}

/** The question again, with an address that holds for a minute, or without an answer. */
function respond(question: Buffer, address: readonly number[] | undefined): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(address === undefined ? 0 : 1, 6)
  head.writeUInt32BE(0, 8)
  const answer = address === undefined ? [] : [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address]
  return Buffer.concat([head, Buffer.from(answer)])
}
