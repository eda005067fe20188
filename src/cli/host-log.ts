import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import type { HostLog } from '../emulator/emulator.ts'
import type { LogLevel } from '../lib/settings/settings.ts'
import { escapeHidden } from '../lib/base/printable.ts'
import { VERSION } from '../lib/settings/version.ts'

const ranks = { trace: 0, debug: 0, information: 1, warning: 2, error: 3, critical: 3, none: 4 } as const
const thresholds = { verbose: 0, info: 1, warning: 2, error: 3 } as const
/** The level as our own lines name it. */
const names = {
  trace: 'verbose',
  debug: 'verbose',
  information: 'info',
  warning: 'warning',
  error: 'error',
  critical: 'error',
  none: 'info',
} as const

/** Bytes that wait for a reader who does not read. What comes then is dropped, and counted. */
const maxWaiting = 1024 * 1024

/** Where lines go. Whatever becomes of it, writing neither ends nor delays the process. */
type Sink = (line: string) => void

/**
 * Writes each line of the host as one JSON object: what our functions say already is one and goes out as it is, all else is
 * put into one.
 */
export function createHostLog(write: Sink, logLevel: LogLevel): (line: HostLog) => void {
  return ({ level, category, message, functionName }) => {
    if (ranks[level] < thresholds[logLevel]) return
    write(
      category === 'user' && isObject(message)
        ? escapeHidden(message)
        : format(names[level], category, message, functionName),
    )
  }
}

/** The log of this process. @param stream That of the descriptor, for pipes and sockets, which Node writes without waiting. */
export function openSink(descriptor: number, stream: Writable): Sink {
  return isPipe(descriptor) ? createPipeSink(stream) : createFileSink(descriptor)
}

function isPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor)
    return stats.isFIFO() || stats.isSocket()
  } catch {
    return false
  }
}

/** A line that finds the disk full is lost; the next is tried again, which a stream of Node would not. */
function createFileSink(descriptor: number): Sink {
  return (line) => {
    try {
      writeSync(descriptor, `${line}\n`)
    } catch {
      // There is nowhere left to report to.
    }
  }
}

function createPipeSink(stream: Writable): Sink {
  let dropped = 0
  return (line) => {
    if (stream.destroyed) return
    if (stream.writableLength > maxWaiting) {
      dropped += 1
      return
    }
    if (dropped > 0) {
      const message = `${dropped} lines were dropped: nobody read them`
      dropped = 0
      stream.write(`${format('warning', 'host', message)}\n`)
    }
    stream.write(`${line}\n`)
  }
}

function format(level: string, category: string, message: string, functionName?: string): string {
  const line = { time: new Date().toISOString(), level, version: VERSION, event: 'host', category, message }
  return escapeHidden(JSON.stringify(functionName === undefined ? line : { ...line, function: functionName }))
}

function isObject(message: string): boolean {
  if (!message.startsWith('{') || message.includes('\n')) return false
  try {
    JSON.parse(message)
    return true
  } catch {
    return false
  }
}
