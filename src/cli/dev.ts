import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { watchBundle } from '../../build.ts'
import { onStopSignal } from './stop-signal.ts'

// `npm run dev`: serves, and starts anew when a source file of the bundle, a profile or a setting changes.
const entry = fileURLToPath(new URL('./start.ts', import.meta.url))
/** Milliseconds without a build before a restart: the two parts of the bundle are built side by side. */
const quietMs = 150

let child: ChildProcess | undefined
let timer: NodeJS.Timeout | undefined
let restarting: Promise<void> = Promise.resolve()
let stopping = false

const watching = await watchBundle(() => {
  clearTimeout(timer)
  timer = setTimeout(() => (restarting = restarting.then(restart)), quietMs)
})

onStopSignal(async () => {
  stopping = true
  clearTimeout(timer)
  await stopChild()
  await watching.dispose()
})

async function restart(): Promise<void> {
  if (child !== undefined) process.stderr.write('Change seen, starting anew\n')
  await stopChild()
  if (stopping) return
  child = spawn(process.execPath, [entry, '--built'], { stdio: 'inherit' })
}

async function stopChild(): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
