import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const script = fileURLToPath(new URL('../../src/cli/profile.ts', import.meta.url))

/** Runs `profile` as its own process, with no variables but the given ones. */
export function runProfile(
  args: readonly string[],
  { env = {}, cwd }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const options = { env: { PATH: process.env['PATH'], ...env }, maxBuffer: 64 * 1024 * 1024, ...(cwd && { cwd }) }
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code
      if (typeof code === 'number') resolve({ code, stdout, stderr })
      else reject(error ?? new Error('The process ended without a code'))
    })
  })
}
