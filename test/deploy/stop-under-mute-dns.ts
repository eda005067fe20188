import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'

// Run in a separate network namespace: a name server that never answers, a service that asks it, and a stop.
// Prints how the service ended, and milliseconds from the signal to its end.
const [, , command = '', ...args] = process.argv
const nameServer = createSocket('udp4')
const question = once(nameServer, 'message')
nameServer.bind(53, '127.0.0.1')
await once(nameServer, 'listening')

const service = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
let output = ''
service.stdout.on('data', (chunk) => (output += String(chunk)))
while (!output.includes('Auth Mode')) await setTimeout(50)
const port = /:(\d+)$/m.exec(output)?.[1]
const asked = fetch(`http://127.0.0.1:${port}/api/diagnostics`).then(
  ({ status }) => status,
  () => 'reset',
)
await question
const before = performance.now()
service.kill('SIGTERM')
const [code, signal] = (await once(service, 'exit')) as [number | null, string | null]
const result = { code, signal, durationMs: Math.round(performance.now() - before), status: await asked }
process.stdout.write(`${JSON.stringify(result)}\n`)
nameServer.close()
