import { readFileSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderFindings } from './generate/findings-document.ts'
import { createProfileJsonSchema } from './generate/profile-schema.ts'
import { createOpenApi } from './generate/openapi.ts'
import * as pages from './generate/pages.ts'
import { renderCodes, renderProfileTypes, renderVariables, union } from './generate/public-types.ts'
import { appDirectory } from '../src/cli/app-directory.ts'
import { choose, defineCommand, exitCodes } from '../src/cli/command.ts'
import { loadOnce } from '../src/lib/base/waiting.ts'
import type { CloudFile } from '../src/lib/clouds/cloud-profile.ts'
import { servicesOf } from '../src/lib/clouds/known-clouds.ts'

// Loaded late, because the bundler of types is a development package.
const typeBuilder = loadOnce(() => import('./build/build-library.ts'))
const libraryTypes = loadOnce(async () => (await (await typeBuilder()).buildLibraryTypes()).files)

/** Every file that is generated, and the function that makes its content. */
const files: Readonly<Record<string, () => string | Promise<string>>> = {
  // The types of the packages contain these, so they come first.
  'src/lib/base/variables.ts': renderVariables,
  'src/lib/clouds/known-files.ts': renderKnownFiles,
  'src/lib/clouds/profile-types.ts': renderProfileTypes,
  'src/lib/findings/codes.ts': renderCodes,
  'cloud-profiles/schema.json': () => `${JSON.stringify(createProfileJsonSchema(), undefined, 2)}\n`,
  'deploy/kubernetes/resources/prometheus/prometheus-rule.yaml': () =>
    renderPrometheusRule(readFileSync(join(appDirectory, 'deploy/prometheus/alerts.yaml'), 'utf8')),
  'docs/reference/api.d.ts': async () => (await libraryTypes())['index.d.ts'] ?? '',
  'docs/reference/api-types.d.ts': async () => (await libraryTypes())['types.d.ts'] ?? '',
  'docs/reference/api-metadata.d.ts': async () => (await libraryTypes())['metadata.d.ts'] ?? '',
  'docs/reference/api-enclave.d.ts': async () =>
    (await (await typeBuilder()).buildEnclaveTypes()).files['index.d.ts'] ?? '',
  'docs/reference/commands.md': pages.renderCommands,
  'docs/reference/exports.md': pages.renderExports,
  'docs/reference/findings.md': renderFindings,
  'docs/reference/profile.md': pages.renderProfileFields,
  'docs/reference/openapi.json': () => `${JSON.stringify(createOpenApi(), undefined, 2)}\n`,
  'docs/reference/routes.md': pages.renderRoutes,
  'docs/reference/settings.md': pages.renderSettings,
}

export const command = defineCommand({
  description: 'Writes the files that are generated from code: all, or those that you name.',
  options: { check: { help: 'write nothing; fail if a file differs' } },
  positionals: { name: '[FILE…]', most: Infinity, message: '' },
  async run({ values, positionals }, { note }) {
    for (const name of positionals) choose('generated file', name, files)
    const different: string[] = []
    for (const [name, render] of Object.entries(files)) {
      if (positionals.length > 0 && !positionals.includes(name)) continue
      const path = join(appDirectory, name)
      const current = await readFile(path, 'utf8').catch(() => '')
      const expected = await render()
      if (current === expected) continue
      different.push(name)
      if (!values.check) await writeFile(path, expected)
    }
    if (!values.check || different.length === 0) return exitCodes.passed
    note(`${different.join(', ')} differ from the generated text. Run npm run generate`)
    return exitCodes.failed
  },
})

const prometheusHead = `# Generated from deploy/prometheus/alerts.yaml by npm run generate.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: cloud-profile
  namespace: cloud-profile
spec:
`

/** The alert rules as a resource of the Prometheus operator. @param alerts The rule file for Prometheus. */
function renderPrometheusRule(alerts: string): string {
  const rules = alerts.split('\n').filter((line) => !line.startsWith('#'))
  return `${prometheusHead}${rules.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}`
}

/** `src/lib/clouds/known-files.ts`: the imports of the cloud files, and the names of their services. */
export function renderKnownFiles(): string {
  const folder = join(appDirectory, 'cloud-profiles')
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as CloudFile
  const isCloud = (name: string) => /^[a-z0-9-]+\.json$/.test(name) && name !== 'schema.json'
  const known = readdirSync(join(folder, 'known')).filter(isCloud).sort()
  const builtIns = readdirSync(folder).filter(isCloud).map(read)
  const clouds = [...builtIns, ...known.map((name) => read(`known/${name}`))]
  const services = new Set(clouds.flatMap((cloud) => Object.keys(servicesOf(cloud))))
  const imports = known.map(
    (name) =>
      `import ${name.replace(/\W+json$/, '').replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())} from '../../../cloud-profiles/known/${name}' with { type: 'json' }`,
  )
  const names = imports.map((line) => line.split(' ')[1])
  return `// Generated by npm run generate from the files in cloud-profiles. Do not edit.
${imports.join('\n')}
import { lazilyWithoutPrototypes } from '../base/json.ts'
import type { CloudFile } from './cloud-profile.ts'

const files = { ${names.join(', ')} }

/** The files in cloud-profiles/known, by their name without \`.json\`. */
export const knownFiles: Readonly<Record<string, CloudFile>> = /* @__PURE__ */ lazilyWithoutPrototypes({ ...files })

/** The same as JSON modules, with prototypes. */
export const knownDocuments: readonly CloudFile[] = Object.values(files)

/** The name of a built-in profile. */
export type CloudName =${union(builtIns.map(({ name }) => name))}

/** The services that a cloud has. */
export type ServiceName =${union([...services].sort())}
`
}
