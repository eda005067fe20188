import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode, RECURSION_AVAILABLE, type Answer } from 'dns-packet'

/** What a name server does with queries for one name: an address, no such record, or no response at all. */
export interface NameRecord {
  readonly A?: string
  readonly AAAA?: string
}

export const mute = 'mute'

/** The record of each name, by the name; any other name does not exist. */
export type Names = Readonly<Record<string, NameRecord>>

/** @param address Of loopback; it listens on port 53 of it. */
export async function startNameServer(address: string, names: Names): Promise<void> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4', (message, from) => {
    const { id, questions = [] } = decode(message)
    const [question] = questions
    if (question === undefined) return
    const { name, type } = question
    const record = names[name.toLowerCase()]
    const data = type === 'A' || type === 'AAAA' ? record?.[type] : undefined
    if (data === mute) return
    const answers: Answer[] = data === undefined ? [] : [{ type: type as 'A', name, ttl: 0, data }]
    const flags = RECURSION_AVAILABLE | (record === undefined ? 3 : 0)
    socket.send(encode({ type: 'response', id: id ?? 0, flags, questions, answers }), from.port, from.address)
  })
  socket.bind(53, address)
  await once(socket, 'listening')
}
