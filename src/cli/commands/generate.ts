import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderFindings } from '../../lib/findings/findings-document.ts'
import { createProfileJsonSchema } from '../../lib/profile/json-schema.ts'
import { renderModes } from '../generate/render-modes.ts'
import { renderPrometheusRule } from '../generate/render-prometheus-rule.ts'
import { renderSampleSettings, renderSettings } from '../generate/render-settings.ts'
import { replaceSection } from '../generate/replace-section.ts'
import { appDirectory } from '../app-directory.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit.ts'

/** Every file that is made from code, or has a part that is, with what it should hold. */
const files: Readonly<Record<string, (current: string) => string>> = {
  'cloud-profiles/schema.json': () => `${JSON.stringify(createProfileJsonSchema(), undefined, 2)}\n`,
  'deploy/kubernetes/components/prometheus/prometheus-rule.yaml': () =>
    renderPrometheusRule(readFileSync(join(appDirectory, 'deploy/prometheus/alerts.yaml'), 'utf8')),
  'docs/findings.md': () => renderFindings(),
  'local.settings.sample.json': () => renderSampleSettings(),
  'README.md': (current) =>
    replaceSection(replaceSection(current, 'settings', renderSettings()), 'modes', renderModes()),
}

export const command = defineCommand({
  about: 'Writes the files, and the parts of files, that are made from code.',
  options: { check: { type: 'boolean', help: 'only says which ones differ, and fails then' } },
  async run({ values }, { note }) {
    const different: string[] = []
    for (const [name, render] of Object.entries(files)) {
      const path = join(appDirectory, name)
      const current = await readFile(path, 'utf8').catch(() => '')
      const expected = render(current)
      if (current === expected) continue
      different.push(name)
      if (!values.check) await writeFile(path, expected)
    }
    if (!values.check || different.length === 0) return exitCodes.passed
    note(`${different.join(', ')} differ from the code they are made from. Run: npm run generate`)
    return exitCodes.failed
  },
})
