#!/usr/bin/env node
import { execute } from '../../../src/cli/command.ts'
import { runProcess } from '../../../src/cli/run-process.ts'
import { command } from './command.ts'
import { VERSION } from './reports.ts'

const args = process.argv.slice(2)
void runProcess(async (terminal) => {
  if (args[0] !== '--version') return execute(command, args, terminal, 'cloud-profile-scan')
  terminal.print(`${VERSION}\n`)
  return 0
})
