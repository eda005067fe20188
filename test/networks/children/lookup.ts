import { lookUp } from '../../../src/lib/transport/host-lookup.ts'
import { mute, startNameServer } from '../name-server.ts'

// Runs inside a network namespace. Prints the milliseconds of a lookup for a token and of a lookup for a probe, while other probes wait for
// names that get no response.
await startNameServer('127.0.0.1', (name, type) =>
  name.startsWith('silent') ? mute : type === 'A' ? '127.0.0.1' : undefined,
)
for (const name of ['silent-1.test', 'silent-2.test', 'silent-3.test']) void lookUp(name, false).catch(() => {})
await new Promise((resolve) => setTimeout(resolve, 200))
const started = performance.now()
const timed = async (name: string, isUrgent: boolean) => {
  await lookUp(name, isUrgent)
  return Math.round(performance.now() - started)
}
const [token, probe] = await Promise.all([timed('login.test', true), timed('storage.test', false)])
process.stdout.write(JSON.stringify({ token, probe }), () => process.exit(0))
