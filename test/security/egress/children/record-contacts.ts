import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP, Socket } from 'node:net'

// Loaded before the program: tells the parent process of each lookup and connection. All of them end at two ports of 127.0.0.1.
const { EGRESS_SECURE_PORT: securePort, EGRESS_PLAIN_PORT: plainPort } = process.env

const tell = (contact: string) => process.send?.({ contact })

interface ConnectOptions {
  host?: string
  port?: number | string
  path?: string | null
}

const connect = Reflect.get(Socket.prototype, 'connect') as (...args: unknown[]) => Socket
function recordConnection(this: Socket, ...input: unknown[]): Socket {
  // Node itself calls this with its normalized arguments: one array of options and callback.
  const args = (Array.isArray(input[0]) ? input[0] : input) as unknown[]
  const [first, second] = args
  const options: ConnectOptions =
    typeof first === 'object' && first !== null
      ? { ...first }
      : { port: Number(first), ...(typeof second === 'string' ? { host: second } : {}) }
  const callback = args.findLast((each) => typeof each === 'function')
  if (typeof options.path !== 'string') {
    tell(options.host ?? 'localhost')
    options.host = '127.0.0.1'
    options.port = Number(options.port) === 443 ? Number(securePort) : Number(plainPort)
  }
  return Reflect.apply(connect, this, callback === undefined ? [options] : [options, callback])
}
Object.assign(Socket.prototype, { connect: recordConnection })

for (const owner of [dns, dns.promises]) {
  const lookup = Reflect.get(owner, 'lookup') as (...args: unknown[]) => unknown
  Reflect.set(owner, 'lookup', (name: string, ...more: unknown[]) => {
    tell(name)
    return Reflect.apply(lookup, owner, ['127.0.0.1', ...more])
  })
}

/** Ways around `lookup`, none of which the service uses: reported, and refused. */
function recordOther(owner: object, name: string): void {
  if (typeof Reflect.get(owner, name) !== 'function') return
  Reflect.set(owner, name, (...args: unknown[]) => {
    const target = args.find((each) => typeof each === 'string') ?? 'unknown'
    tell(isIP(target) === 0 ? target : `reverse of ${target}`)
    throw new Error(`${name} is not redirected`)
  })
}
for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (const name of Object.getOwnPropertyNames(owner))
    if (/^(resolve|reverse|lookupService)/.test(name)) recordOther(owner, name)
}
for (const name of ['send', 'connect']) recordOther(dgram.Socket.prototype, name)

syncBuiltinESMExports()
