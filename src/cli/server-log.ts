import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { isObject, parseJson } from '../lib/base/json.ts'
import { escapeHidden } from '../lib/base/printable.ts'
import { VERSION } from '../lib/settings/version.ts'
import type { LogLevel } from '../lib/base/app.ts'
import type { WriteLog, LogLine } from '../server/log.ts'
import { isReplaced } from './run-process.ts'

const ranks = { verbose: 0, info: 1, warning: 2, error: 3 } as const

/** Bytes that wait for a reader that does not read. Later lines are dropped and counted. */
const maxWaiting = 1024 * 1024

/** Where lines go. A failed write neither ends nor delays the process. */
type Sink = (line: string) => void

/** Writes each line as one JSON object. The lines of the app already are JSON objects. */
export function createServerLog(write: Sink, threshold: LogLevel): WriteLog {
  return (line) => {
    if (ranks[line.level] < ranks[threshold]) return
    write(line.category === 'app' && isJsonObject(line.message) ? escapeHidden(line.message) : format(line))
  }
}

/**
 * The log of this process.
 *
 * @param stream That of the descriptor, for pipes and sockets, which Node writes without waiting, and where a host has replaced its write.
 */
export function openSink(descriptor: number, stream: Writable): Sink {
  return isPipe(descriptor) || isReplaced(stream) ? createPipeSink(stream) : createFileSink(descriptor)
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
      const message = `${dropped} lines were dropped, because nothing read the log`
      dropped = 0
      stream.write(`${format({ level: 'warning', category: 'server', message })}\n`)
    }
    stream.write(`${line}\n`)
  }
}

function format({ level, category, message, name }: LogLine): string {
  const line = { time: new Date().toISOString(), level, version: VERSION, event: 'server', category, message }
  return escapeHidden(JSON.stringify(name === undefined ? line : { ...line, function: name }))
}

function isJsonObject(message: string): boolean {
  return message.startsWith('{') && !message.includes('\n') && isObject(parseJson(message))
}
