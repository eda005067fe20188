import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode, RECURSION_AVAILABLE, type Answer } from 'dns-packet'

export const silent = 'silent'

const statuses: Readonly<Record<string, number>> = { SERVFAIL: 2, NXDOMAIN: 3 }

/** @param find The response for a name and a type: an address, `SERVFAIL`, `NXDOMAIN` or `silent`; `undefined` if there is no record. */
export async function startNameServer(
  address: string,
  find: (name: string, type: string) => string | undefined,
): Promise<void> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4', (message, from) => {
    const { id = 0, questions = [] } = decode(message)
    const [question] = questions
    if (question === undefined) return
    const { name, type } = question
    const data = find(name.toLowerCase(), type)
    if (data === silent) return
    const status = statuses[data ?? ''] ?? 0
    const isData = data !== undefined && status === 0 && type === (data.includes(':') ? 'AAAA' : 'A')
    const answers: Answer[] = isData ? [{ type: type as 'A', name, ttl: 0, data }] : []
    const response = encode({ type: 'response', id, flags: RECURSION_AVAILABLE | status, questions, answers })
    socket.send(response, from.port, from.address)
  })
  socket.bind(53, address)
  await once(socket, 'listening')
}
