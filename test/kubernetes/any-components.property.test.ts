import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { findTool, runTool } from '../deploy/tools.ts'
import { repository } from '../support/project-copy.ts'
import { fc, few } from '../support/properties.ts'

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  // oxlint-disable-next-line typescript/no-explicit-any -- it has the shape of its kind.
  readonly spec: any
}

const kubectl = findTool('kubectl', 'Install kubectl, which has kustomize inside.')
const folder = join(repository, 'deploy/kubernetes')
const components = readdirSync(join(folder, 'components'))
// Kustomize takes no absolute path, and an overlay must lie beside what it uses.
const scratch = mkdtempSync(join(folder, '.test-any-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function render(names: readonly string[]): readonly Manifest[] {
  const uses = names.map((name) => `  - ../components/${name}\n`).join('')
  const list = names.length === 0 ? '' : `components:\n${uses}`
  writeFileSync(join(scratch, 'kustomization.yaml'), `namespace: cloud-profile\nresources: [../base]\n${list}`)
  const { code, stdout, stderr } = runTool(kubectl ?? '', ['kustomize', scratch])
  expect([code, stderr]).toEqual([0, ''])
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
}

const anySet = fc
  .shuffledSubarray(components, { minLength: 0 })
  .chain((names) => fc.boolean().map((isSorted) => (isSorted ? names.toSorted() : names)))

describe.skipIf(kubectl === undefined)('Any set of components, in any order', () => {
  test('renders restricted pods whose volumes all exist, and never sends the host key unencrypted to a TLS port', () => {
    fc.assert(
      fc.property(anySet, (names) => {
        const manifests = render(names)
        const ids = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        expect(new Set(ids).size).toBe(ids.length)
        const of = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
        const pods = [
          ...of('Deployment').map(({ spec }) => spec.template.spec),
          ...of('CronJob').map(({ spec }) => spec.jobTemplate.spec.template.spec),
        ]
        expect(pods).toHaveLength(names.includes('smoke-test') ? 2 : 1)
        for (const { containers, volumes = [], securityContext } of pods) {
          expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
          const known = (volumes as { name: string }[]).map(({ name }) => name)
          expect(new Set(known).size).toBe(known.length)
          for (const { volumeMounts = [], env = [], resources, securityContext: own } of containers) {
            expect(own).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
            expect(resources.limits.memory).toBe('256Mi')
            for (const mount of volumeMounts) expect([known.includes(mount.name), mount.readOnly]).toEqual([true, true])
            const variables = (env as { name: string }[]).map(({ name }) => name)
            expect(new Set(variables).size).toBe(variables.length)
          }
        }
        const hasTls = names.includes('tls')
        const ports = of('Service').flatMap(({ spec }) => spec.ports as { name: string }[])
        expect(ports.map(({ name }) => name)).toEqual([hasTls ? 'https' : 'http'])
        for (const { spec } of of('ServiceMonitor')) {
          const [{ port, scheme = 'http', targetPort, tlsConfig }] = spec.endpoints
          expect([targetPort, tlsConfig?.insecureSkipVerify]).toEqual([undefined, undefined])
          // In the wrong order the monitor names a port that is not there, and scrapes nothing.
          const isScraped = ports.some(({ name }) => name === port)
          expect(isScraped ? scheme : undefined).toBe(isScraped ? (hasTls ? 'https' : 'http') : undefined)
        }
      }),
      few(3),
    )
  })
})
