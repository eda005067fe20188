import type { ChildProcess } from 'node:child_process'
import { watchBundle } from '../build.ts'
import { defineCommand } from '../src/cli/command.ts'
import { onStopSignal, spawnChild, stopChild } from '../src/cli/processes.ts'

/** Milliseconds without another build before a restart, because an editor may save several files. */
const quietMs = 150

export const command = defineCommand({
  description:
    'Runs the service, and restarts it when a source file, a profile or a setting changes, until it is stopped.',
  options: {},
  async run(_given, { env, note }) {
    let child: ChildProcess | undefined
    let timer: NodeJS.Timeout | undefined
    let restarting: Promise<void> = Promise.resolve()
    let stopping = false

    const restart = async () => {
      if (child !== undefined) note('Restarting after a change')
      await stopChild(child)
      if (!stopping) child = spawnChild(['start', '--built'], env)
    }
    const watching = await watchBundle(() => {
      clearTimeout(timer)
      timer = setTimeout(() => (restarting = restarting.then(restart)), quietMs)
    })
    onStopSignal(async () => {
      stopping = true
      clearTimeout(timer)
      await stopChild(child)
      await watching.dispose()
    })
    return undefined
  },
})
