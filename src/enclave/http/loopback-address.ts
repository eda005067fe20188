import { ADDRCONFIG } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The loopback address of this machine: 127.0.0.1, or ::1 where IPv6 is all there is. */
export type LoopbackAddress = '127.0.0.1' | '::1'

const candidates: readonly LoopbackAddress[] = ['127.0.0.1', '::1']

/** @throws {Error} If this machine has neither address. */
export async function findLoopbackAddress(): Promise<LoopbackAddress> {
  const refusals: string[] = []
  for (const address of candidates) {
    const refusal = await refusalOf(address)
    if (refusal === undefined) return address
    refusals.push(`${address} (${refusal})`)
  }
  throw new Error(`This machine has no loopback address: tried ${refusals.join(' and ')}. Run "ip link set lo up"`)
}

/** As connections ask: only for the families that this machine has. */
const hints = process.platform === 'win32' ? 0 : ADDRCONFIG

/** Whether clients that resolve `localhost` get that address. */
export async function isLocalhost(address: LoopbackAddress): Promise<boolean> {
  const found = await lookup('localhost', { all: true, hints }).catch(() => [])
  return found.some((each) => each.address === address)
}

async function refusalOf(address: string): Promise<string | undefined> {
  const server = createServer().listen(0, address)
  try {
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown error'
  } finally {
    server.close()
  }
}
