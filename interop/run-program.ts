import { spawn } from 'node:child_process'
import type { ProgramOptions } from './client.ts'

/** Milliseconds before a program is killed. */
const limit = 600_000

/**
 * Runs a program to its end.
 *
 * @param watch Is given everything that it wrote so far, on either stream, whenever there is more.
 * @returns What it wrote to stdout.
 * @throws {Error} With the end of its output, when it ends with another status than 0.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
  watch: (output: string) => void = () => {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: ['pipe', 'pipe', 'pipe'] })
    let stdout = ''
    let output = ''
    const timer = setTimeout(() => child.kill('SIGKILL'), limit)
    const collect = (text: string): void => {
      output += text
      watch(output)
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      collect(text)
    })
    child.stderr.setEncoding('utf8').on('data', collect)
    child.stdin.on('error', () => {})
    child.stdin.end(options.input)
    child.once('error', (error) => reject(new Error(`${command} cannot be started: ${error.message}`)))
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(stdout)
      else reject(new Error(`${command} exited with ${signal ?? code}: ${output.trim().slice(-1500)}`))
    })
  })
}
