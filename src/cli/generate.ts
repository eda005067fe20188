import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { renderFindings } from '../lib/findings/findings-document.ts'
import { createProfileJsonSchema } from '../lib/profile/json-schema.ts'
import { renderSettings } from './generate/render-settings.ts'
import { renderValidator } from './generate/render-validator.ts'
import { replaceSection } from './generate/replace-section.ts'
import { exitCodes, runCommand } from './run-command.ts'

/** Every file that is made from code, or has a part that is, with what it should hold. */
const files: Readonly<Record<string, (current: string) => string>> = {
  'cloud-profiles/schema.json': () => `${JSON.stringify(createProfileJsonSchema(), undefined, 2)}\n`,
  'src/lib/profile/validate-profile.js': () => renderValidator(),
  'docs/findings.md': () => renderFindings(),
  'README.md': (current) => replaceSection(current, 'settings', renderSettings()),
}

// `npm run generate` writes them; with --check, which `npm run check` uses, it only says which ones differ.
await runCommand(async () => {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const different: string[] = []
  for (const [path, render] of Object.entries(files)) {
    const url = new URL(`../../${path}`, import.meta.url)
    const current = await readFile(url, 'utf8').catch(() => '')
    const expected = render(current)
    if (current === expected) continue
    different.push(path)
    if (!values.check) await writeFile(url, expected)
  }
  if (!values.check || different.length === 0) return exitCodes.passed
  process.stderr.write(`${different.join(', ')} differ from the code they are made from. Run: npm run generate\n`)
  return exitCodes.failed
})
