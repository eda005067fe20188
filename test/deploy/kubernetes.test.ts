import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { settingRows } from '../../src/lib/variables.ts'
import { repository } from '../support/project-copy.ts'
import { findTool, runTool } from './tools.ts'

const kubectl = findTool('kubectl', 'Install kubectl, which has kustomize inside.')
const kustomize = kubectl ?? findTool('kustomize', 'Run .ci/deploy-tools.')
const validate = findTool('kubernetes-validate', 'Run .ci/deploy-tools.')
const folder = join(repository, 'deploy/kubernetes')
const components = readdirSync(join(folder, 'components'))
const resources = readdirSync(join(folder, 'resources'))

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  // oxlint-disable-next-line typescript/no-explicit-any -- it has the shape of its kind, which the schemas check.
  readonly spec: any
}

// Kustomize accepts no absolute path, so an overlay must be near the folders that it uses.
const scratch = mkdtempSync(join(folder, '.test-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const runKustomize = (path: string) => runTool(kustomize ?? '', [kubectl === undefined ? 'build' : 'kustomize', path])

function build(path: string): string {
  const { code, stdout, stderr } = runKustomize(path)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

/** The base with these resources and components. */
const overlay = (...names: readonly string[]): string => build(write(kustomizationOf(names)))

function kustomizationOf(names: readonly string[]) {
  const below = (kind: string, known: readonly string[]) =>
    known.filter((name) => names.includes(name)).map((name) => `../${kind}/${name}`)
  const own = ['../base', ...below('resources', resources)]
  return { namespace: 'cloud-profile', resources: own, components: below('components', components) }
}

function write(kustomization: object): string {
  writeFileSync(join(scratch, 'kustomization.yaml'), JSON.stringify(kustomization))
  return scratch
}

const read = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Manifest)

function find(manifests: readonly Manifest[], kind: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind)
  if (found === undefined) throw new Error(`There is no ${kind}`)
  return found
}

/** The pod of the service, and the one of its smoke test. */
const podsOf = (manifests: readonly Manifest[]) => [
  find(manifests, 'Deployment').spec.template as Pick<Manifest, 'spec'>,
  find(manifests, 'CronJob').spec.jobTemplate.spec.template as Pick<Manifest, 'spec'>,
]

const all = [...resources, ...components.filter((name) => name !== 'client-secret')]
const parts = [...resources, ...components]
const identities = ['client-secret', 'workload-identity']
/** Each part alone, and with all others that go with it. */
const choices = [
  ...parts.map((name) => [name]),
  ...identities.map((name) => parts.filter((each) => each === name || !identities.includes(each))),
]

describe.skipIf(kustomize === undefined)('The manifests', () => {
  test.each(['base', 'example'])('%s is built by kubectl kustomize', (name) => {
    expect(read(build(join(folder, name))).map(({ kind }) => kind)).toContain('Deployment')
  })

  const versions = ['1.27', '1.31', '1.34', '1.37']
  test.skipIf(validate === undefined).each(versions)('are valid for Kubernetes %s, with every component', (version) => {
    const documents = [overlay(), overlay(...all), build(join(folder, 'example'))].join('---\n').split(/^---\n/m)
    // What an operator brings has no schema in Kubernetes.
    const input = documents.filter((part) => !part.includes('monitoring.coreos.com/')).join('---\n')
    const { code, stdout, stderr } = runTool(validate ?? '', ['--strict', '-k', version, '-'], { input })
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.not.stringContaining('failed')])
  })

  test('every pod is as the restricted pod security standard wants it, and more', () => {
    for (const { spec } of podsOf(read(overlay(...all)))) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(spec.hostNetwork ?? spec.hostPID ?? spec.hostIPC).toBeUndefined()
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources.limits.memory).toBe('256Mi')
        for (const mount of container.volumeMounts) expect(mount.readOnly).toBe(true)
      }
      for (const volume of spec.volumes) expect(volume.hostPath).toBeUndefined()
    }
  })

  test.each(choices.map((names) => [names.join(', '), names] as const))('%s: the parts fit each other', (_, names) => {
    const manifests = read(overlay(...names))
    const hasTls = names.includes('tls')
    const { spec } = find(manifests, 'Deployment').spec.template
    const ports = (find(manifests, 'Service').spec.ports as { name: string }[]).map(({ name }) => name)
    const port = hasTls ? { name: 'https', port: 443, targetPort: 'http' } : { name: 'http' }
    expect(find(manifests, 'Service').spec.ports).toMatchObject([port])
    const { livenessProbe, readinessProbe, startupProbe } = spec.containers[0]
    for (const probe of [livenessProbe, readinessProbe, startupProbe])
      expect([probe.httpGet.scheme, probe.httpGet.port]).toEqual([hasTls ? 'HTTPS' : undefined, 'http'])
    for (const list of [spec.volumes, spec.containers[0].volumeMounts, spec.containers[0].env]) {
      const ids = (list as { name: string }[]).map(({ name }) => name)
      expect(new Set(ids).size).toBe(ids.length)
    }
    const all = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
    const endpoints = all('ServiceMonitor').flatMap((monitor) => monitor.spec.endpoints as unknown)
    const scraped = endpoints as readonly { readonly port: string; readonly scheme?: string }[]
    expect(scraped).toHaveLength(names.includes('prometheus') ? 1 : 0)
    for (const { port, scheme = 'http' } of scraped) expect([port, scheme]).toEqual([ports[0], ports[0]])
    expect(JSON.stringify(scraped)).not.toContain('insecureSkipVerify')
    for (const { spec: ingress } of all('Ingress'))
      expect(ports).toContain(ingress.rules[0].http.paths[0].backend.service.port.name)
  })

  test('two ways to sign in fail the build, and so does a resource among the components', () => {
    const misplaced = { resources: ['../base'], components: ['../components/tls', '../resources/ingress'] }
    for (const wrong of [kustomizationOf(identities), misplaced]) expect(runKustomize(write(wrong)).code).not.toBe(0)
  })

  test('client-secret gives the Deployment and the CronJob the same secret, by a file that each mounts', () => {
    const manifests = read(overlay('smoke-test', 'client-secret'))
    const settings = manifests.find(({ metadata }) => metadata.name.startsWith('cloud-profile-identity'))
    const path = '/run/secrets/cloud-profile-client'
    const data = { AUTH_MODE: 'clientSecret', PLATFORM_CLIENT_SECRET_PATH: `${path}/client-secret` }
    expect(settings).toMatchObject({ data })
    for (const { spec } of podsOf(manifests)) {
      const volumes = spec.volumes as readonly { name: string; secret?: { secretName: string } }[]
      const { name } = volumes.find(({ secret }) => secret?.secretName === 'cloud-profile-client-secret') ?? {}
      expect(spec.containers[0].volumeMounts).toContainEqual(expect.objectContaining({ name, mountPath: path }))
    }
  })

  test('a setting of the manifests is one that the service knows', () => {
    const known = new Set(settingRows.map(({ name }) => name))
    const text = overlay(...all)
    const used = new Set(text.match(/\b(?:PLATFORM_[A-Z_]+|CUSTOM_CLOUD_PROFILE_PATH|AUTH_MODE)\b/g))
    expect([...used].filter((name) => !known.has(name))).toEqual([])
    expect(used.size).toBeGreaterThan(5)
  })
})
