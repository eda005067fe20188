import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { renderFindings } from '../lib/diagnostics/findings/findings-document.ts'
import { exitCodes, runCommand } from './run-command.ts'

const path = new URL('../../docs/findings.md', import.meta.url)

/** Prints docs/findings.md; with `--check`, says whether the file is what would be printed. */
await runCommand(async () => {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const expected = renderFindings()
  if (!values.check) {
    process.stdout.write(expected)
    return exitCodes.passed
  }
  if ((await readFile(path, 'utf8')) === expected) return exitCodes.passed
  process.stderr.write(
    'docs/findings.md differs from the catalogue. Run: node src/cli/findings-doc.ts > docs/findings.md\n',
  )
  return exitCodes.failed
})
