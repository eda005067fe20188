import { execFileSync } from 'node:child_process'

/** Runs a script by `sh` and returns the variables it leaves. */
export function sourceShell(script: string): Record<string, string> {
  const show = `exec "$0" -p 'JSON.stringify(process.env)'`
  const output = execFileSync('sh', ['-c', `${script}\n${show}`, process.execPath], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  })
  return JSON.parse(output) as Record<string, string>
}

/** Runs a script by `sh` and returns the arguments of each call of a command. `…=@-`, with which `az` reads a value from stdin, adds that value. */
export function recordCalls(script: string, command: string, env: Record<string, string> = {}): string[][] {
  const recorder = `${command}() { for each in "$@"; do printf '%s\\0' "$each"; case $each in *=@-) cat; printf '\\0';; esac; done; printf '\\036'; }`
  const output = execFileSync('sh', ['-c', `${recorder}\n${script}`], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  })
  return output
    .split('\u001e')
    .slice(0, -1)
    .map((call) => call.split('\0').slice(0, -1))
}
