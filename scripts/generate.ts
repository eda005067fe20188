import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderFindings } from './generate/findings-document.ts'
import { createProfileJsonSchema } from '../src/lib/profile/json-schema.ts'
import { createOpenApi } from './generate/openapi.ts'
import {
  renderCommands,
  renderModes,
  renderProfileFields,
  renderRoutes,
  renderSampleSettings,
  renderSettings,
} from './generate/pages.ts'
import { renderExports } from './generate/render-exports.ts'
import { renderKnownFiles } from './generate/render-known-files.ts'
import { appDirectory } from '../src/cli/app-directory.ts'
import { choose, defineCommand, exitCodes } from '../src/cli/command.ts'

let types: ReturnType<typeof renderDeclarations> | undefined
const rendered = () => (types ??= renderDeclarations())
const publicDeclarations = async () => (await rendered()).declarations

/** The bundler of types is a development package. */
async function renderDeclarations() {
  const { renderTypes } = await import('./build/build-types.ts')
  return renderTypes()
}

/** Every file that is generated in whole or in part, with its expected content. */
const files: Readonly<Record<string, (current: string) => string | Promise<string>>> = {
  'cloud-profiles/schema.json': () => `${JSON.stringify(createProfileJsonSchema(), undefined, 2)}\n`,
  'deploy/kubernetes/resources/prometheus/prometheus-rule.yaml': () =>
    renderPrometheusRule(readFileSync(join(appDirectory, 'deploy/prometheus/alerts.yaml'), 'utf8')),
  'docs/reference/api.d.ts': async () => (await publicDeclarations())['.'],
  'docs/reference/api-types.d.ts': async () => (await rendered()).sharedTypes,
  'docs/reference/api-metadata.d.ts': async () => (await publicDeclarations())['./metadata'],
  'docs/reference/api-testing.d.ts': async () => (await publicDeclarations())['./testing'],
  'docs/reference/commands.md': () => renderCommands(),
  'docs/reference/exports.md': () => renderExports(),
  'docs/reference/findings.md': () => renderFindings(),
  'docs/reference/profile.md': () => renderProfileFields(),
  'docs/reference/openapi.json': () => `${JSON.stringify(createOpenApi(), undefined, 2)}\n`,
  'docs/reference/routes.md': () => renderRoutes(),
  'docs/reference/settings.md': (current) =>
    replaceSection(replaceSection(current, 'settings', renderSettings()), 'modes', renderModes()),
  'src/lib/clouds/known-files.ts': () => renderKnownFiles(),
  'local.settings.sample.json': () => renderSampleSettings(),
}

export const command = defineCommand({
  description: 'Writes the files, and parts of files, that are generated from code: all of them, or the named ones.',
  options: { check: { type: 'boolean', help: 'write nothing; fail if a file differs' } },
  positionals: { name: '[FILE…]', most: Infinity, message: '' },
  async run({ values, positionals }, { note }) {
    for (const name of positionals) choose('generated file', name, files)
    const different: string[] = []
    for (const [name, render] of Object.entries(files)) {
      if (positionals.length > 0 && !positionals.includes(name)) continue
      const path = join(appDirectory, name)
      const current = await readFile(path, 'utf8').catch(() => '')
      const expected = await render(current)
      if (current === expected) continue
      different.push(name)
      if (!values.check) await writeFile(path, expected)
    }
    if (!values.check || different.length === 0) return exitCodes.passed
    note(`${different.join(', ')} differ from the generated text. Run npm run generate`)
    return exitCodes.failed
  },
})

/**
 * Replaces the text between the markers `<!-- NAME -->` and `<!-- /NAME -->` in a Markdown text.
 *
 * @throws {Error} if the markers are missing.
 */
function replaceSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The markers ${start} and ${end} are missing`)
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`
}

const prometheusHead = `# Generated from deploy/prometheus/alerts.yaml by npm run generate.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: cloud-profile
  namespace: cloud-profile
spec:
`

/** The alert rules as a resource of the Prometheus operator. @param alerts A rule file of Prometheus. */
function renderPrometheusRule(alerts: string): string {
  const rules = alerts.split('\n').filter((line) => !line.startsWith('#'))
  return `${prometheusHead}${rules.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}`
}
