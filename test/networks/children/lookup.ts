import { lookUp } from '../../../src/lib/transport/host-lookup.ts'
import { mute, startNameServer } from '../name-server.ts'

// Runs inside a network namespace. Prints the milliseconds of a token's lookup while probes wait for names that get no response.
await startNameServer('127.0.0.1', (name, type) =>
  name !== 'login.test' ? mute : type === 'A' ? '127.0.0.1' : undefined,
)
for (const name of ['a.test', 'b.test', 'c.test']) void lookUp(name, false).catch(() => {})
await new Promise((resolve) => setTimeout(resolve, 200))
const started = performance.now()
await lookUp('login.test', true)
process.stdout.write(String(Math.round(performance.now() - started)), () => process.exit(0))
