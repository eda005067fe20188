import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// `npm test` runs this file. It is JavaScript, so that an older Node can read it too.

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

if (existsSync(vitest)) {
  const child = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  // A terminal sends the signal to vitest too, and this process waits for vitest's exit code.
  process.on('SIGINT', () => {})
  child.on('close', (code) => {
    process.exitCode = code ?? 1
  })
} else {
  process.stderr.write('The packages are not installed. Run: npm ci\n')
  process.exitCode = 2
}
