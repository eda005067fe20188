import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
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

interface Endpoint {
  readonly port: string
  readonly scheme?: string
  readonly tlsConfig?: { readonly insecureSkipVerify?: boolean }
}

// Kustomize accepts no absolute path, so an overlay must be near the folders that it uses.
const scratch = mkdtempSync(join(folder, '.test-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function build(path: string): string {
  const { code, stdout, stderr } = runTool(kustomize ?? '', [kubectl === undefined ? 'build' : 'kustomize', path])
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

/** The base with these resources and components. */
function overlay(...names: readonly string[]): string {
  write(names)
  return build(scratch)
}

function write(names: readonly string[]): void {
  const [own, changing] = [resources, components].map((folder) => names.filter((name) => folder.includes(name)))
  const kustomization = {
    namespace: 'cloud-profile',
    resources: ['../base', ...(own ?? []).map((name) => `../resources/${name}`)],
    components: (changing ?? []).map((name) => `../components/${name}`),
  }
  writeFileSync(join(scratch, 'kustomization.yaml'), JSON.stringify(kustomization))
}

const read = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Manifest)

function find(manifests: readonly Manifest[], kind: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind)
  if (found === undefined) throw new Error(`There is no ${kind}`)
  return found
}

interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  readonly spec: any
}

interface Volume {
  readonly name: string
  readonly secret?: { readonly secretName: string }
}

/** The pod of the service, and the one of its smoke test. */
const podsOf = (manifests: readonly Manifest[]): readonly Pod[] => [
  find(manifests, 'Deployment').spec.template as Pod,
  find(manifests, 'CronJob').spec.jobTemplate.spec.template as Pod,
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

  describe.skipIf(validate === undefined)('are valid', () => {
    test.each(['1.27', '1.31', '1.34', '1.37'])(
      'for Kubernetes %s, with every component and without any',
      (version) => {
        // What an operator brings has no schema in Kubernetes.
        const own = (text: string) =>
          text
            .split(/^---\n/m)
            .filter((part) => !part.includes('monitoring.coreos.com/'))
            .join('---\n')
        const input = [overlay(), overlay(...all), build(join(folder, 'example'))].map(own).join('---\n')
        const { code, stdout, stderr } = runTool(validate ?? '', ['--strict', '-k', version, '-'], { input })
        expect([code, `${stdout}${stderr}`]).toEqual([0, expect.not.stringContaining('failed')])
      },
    )
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
    const scraped = all('ServiceMonitor').flatMap((monitor) => monitor.spec.endpoints as Endpoint[])
    expect(scraped).toHaveLength(names.includes('prometheus') ? 1 : 0)
    for (const { port, scheme = 'http', tlsConfig } of scraped) {
      expect([port, scheme, tlsConfig?.insecureSkipVerify]).toEqual([ports[0], ports[0], undefined])
    }
    for (const { spec: ingress } of all('Ingress')) {
      expect(ports).toContain(ingress.rules[0].http.paths[0].backend.service.port.name)
    }
  })

  test('two ways to sign in fail the build, and so does a resource among the components', () => {
    write(identities)
    const wrong = [readFileSync(join(scratch, 'kustomization.yaml'), 'utf8')]
    wrong.push(JSON.stringify({ resources: ['../base'], components: ['../components/tls', '../resources/ingress'] }))
    for (const text of wrong) {
      writeFileSync(join(scratch, 'kustomization.yaml'), text)
      expect(runTool(kustomize ?? '', [kubectl === undefined ? 'build' : 'kustomize', scratch]).code).not.toBe(0)
    }
  })

  test('client-secret gives the Deployment and the CronJob the same secret, by a file that each mounts', () => {
    const manifests = read(overlay('smoke-test', 'client-secret'))
    const settings = manifests.find(({ metadata }) => metadata.name.startsWith('cloud-profile-identity'))
    const path = '/run/secrets/cloud-profile-client'
    expect(settings).toMatchObject({
      data: { AUTH_MODE: 'clientSecret', PLATFORM_CLIENT_SECRET_PATH: `${path}/client-secret` },
    })
    for (const { spec } of podsOf(manifests)) {
      const secretName = 'cloud-profile-client-secret'
      const { name } = (spec.volumes as Volume[]).find(({ secret }) => secret?.secretName === secretName) ?? {}
      expect(spec.containers[0].volumeMounts).toContainEqual(expect.objectContaining({ name, mountPath: path }))
    }
  })

  test('a setting of the manifests is one that the service knows', async () => {
    const { settingRows } = await import('../../src/lib/variables.ts')
    const known = new Set(settingRows.map(({ name }) => name))
    const text = overlay(...all)
    const used = new Set(text.match(/\b(?:PLATFORM_[A-Z_]+|CUSTOM_CLOUD_PROFILE_PATH|AUTH_MODE)\b/g))
    expect([...used].filter((name) => !known.has(name))).toEqual([])
    expect(used.size).toBeGreaterThan(5)
  })
})
