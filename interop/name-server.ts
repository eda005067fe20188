import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode, RECURSION_AVAILABLE, type Answer } from 'dns-packet'

/** Answers every name with a separate address, so that a connection tells which name it was made for. */
export interface NameServer {
  /** The names that were asked for since the last call. */
  takeNames(): string[]
  /** The name that an address was given out for. */
  nameOf(address: string): string | undefined
  /** How many datagrams it has received. */
  received(): number
  close(): void
}

/**
 * @param port Of 127.0.0.1; 53 is where the resolver of the C library asks.
 * @param known The address of a name that leads somewhere.
 */
export async function startNameServer(
  port: number,
  known: (name: string) => string | undefined = () => undefined,
): Promise<NameServer> {
  const addresses = new Map<string, string>()
  let names: string[] = []
  let received = 0
  const addressOf = (name: string) => {
    const address =
      known(name) ?? addresses.get(name) ?? `10.0.${Math.floor(addresses.size / 250)}.${(addresses.size % 250) + 1}`
    addresses.set(name, address)
    return address
  }
  const socket = createSocket('udp4', (message, { port: from, address }) => {
    received++
    const { id, questions = [] } = decode(message)
    names.push(...questions.map(({ name }) => name))
    // An empty answer means that the name has no such record, such as an IPv6 address.
    const answers = questions
      .filter(({ type }) => type === 'A')
      .map(({ name }): Answer => ({ type: 'A', name, ttl: 0, data: addressOf(name) }))
    const response = encode({ type: 'response', id: id ?? 0, flags: RECURSION_AVAILABLE, questions, answers })
    socket.send(response, from, address)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  return {
    takeNames() {
      const taken = names
      names = []
      return taken
    },
    nameOf: (address) => [...addresses].find(([, given]) => given === address)?.[0],
    received: () => received,
    close: () => socket.close(),
  }
}
