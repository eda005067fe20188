#!/usr/bin/env node
import { forTerminal } from './destinations.ts'
import { UsageError } from './finding.ts'
import { run } from './command.ts'

/** Columns of a report that goes to no terminal. */
const usualWidth = 80

// A reader that stops, such as `head`, ends the run.
process.stdout.on('error', () => process.exit(3))
const { stdout, env } = process
const columns = Number(env['COLUMNS']) > 20 ? Number(env['COLUMNS']) : stdout.isTTY ? stdout.columns : usualWidth
try {
  process.exitCode = await run(process.argv.slice(2), {
    env,
    columns: Math.max(40, columns),
    hasColors: stdout.isTTY && !env['NO_COLOR'],
    print: (text) => void stdout.write(text),
    note: (text) => void process.stderr.write(`${forTerminal(text)}\n`),
  })
} catch (error) {
  const isExpected = error instanceof UsageError || (error instanceof Error && error.name === 'ServiceError')
  const text = error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(`${text.split('\n').map(forTerminal).join('\n')}\n`)
  process.exitCode = isExpected ? 2 : 3
}
