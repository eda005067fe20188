import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { findTool, runTool } from './tools.ts'

const buildah = findTool('buildah', 'Install buildah of Debian (.ci/deploy-tools does).')
const isRoot = process.getuid?.() === 0
if (!isRoot) process.stderr.write('SKIPPED: building images here needs to be root.\n')

const { path: scratch, write } = useTemporaryDirectory()
const storage = ['--root', join(scratch, 'storage'), '--runroot', join(scratch, 'run'), '--storage-driver', 'vfs']

function run(...args: readonly string[]): string {
  const { code, stdout, stderr } = runTool(buildah ?? '', [...storage, ...args])
  if (code !== 0) throw new Error(`buildah ${args.join(' ')}:\n${stderr}`)
  return stdout.trim()
}

/** An image with Node and the libraries that it is linked with, and nothing else: no shell, no package manager. */
function buildBase(): string {
  const root = join(scratch, 'base')
  const node = join(repository, 'node_modules/node/bin/node')
  const libraries = runTool('ldd', [node]).stdout.match(/\/\S+/g) ?? []
  for (const from of [node, ...libraries]) {
    const to = from === node ? '/usr/local/bin/node' : from
    mkdirSync(join(root, dirname(to)), { recursive: true })
    copyFileSync(from, join(root, to))
  }
  const file = write('Base', 'FROM scratch\nCOPY base/ /\nENV PATH=/usr/local/bin\n')
  run('bud', '--isolation', 'chroot', '--tag', 'localhost/node', '--file', file, scratch)
  return 'localhost/node'
}

describe.skipIf(buildah === undefined || !isRoot)('The image', () => {
  let container = ''

  beforeAll(() => {
    const [dockerfile, release] = ['deploy/container/Dockerfile', 'dist/release'].map((path) => join(repository, path))
    const args = ['--build-arg', `BASE=${buildBase()}`, '--build-arg', 'REVISION=abc']
    // The format that keeps HEALTHCHECK.
    const options = ['--isolation', 'chroot', '--format', 'docker', '--tag', 'localhost/cloud-profile', ...args]
    run('bud', ...options, '--file', dockerfile ?? '', release ?? '')
    container = run('from', 'localhost/cloud-profile')
  })

  test('runs as nobody, says what it is, and checks itself by its own command', () => {
    const { Docker } = JSON.parse(run('inspect', '--type', 'image', 'localhost/cloud-profile')) as {
      Docker: { config: Record<string, unknown> }
    }
    expect(Docker.config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['node', 'dist/cli/cloud-profile.cjs'],
      Cmd: ['serve'],
      StopSignal: 'SIGTERM',
      Healthcheck: { Test: ['CMD', 'node', 'dist/cli/cloud-profile.cjs', 'health'] },
    })
    expect(Docker.config['Labels']).toMatchObject({
      'org.opencontainers.image.title': 'cloud-profile-service',
      'org.opencontainers.image.version': '2.0.0',
      'org.opencontainers.image.revision': 'abc',
    })
  })

  // docs/deploy-container.md, typed, starts the service and its health check.
  test('starts its command as that user', () => {
    const words = ['node', 'dist/cli/cloud-profile.cjs', '--version']
    expect(run('run', '--isolation', 'chroot', container, '--', ...words)).toBe('2.0.0')
  })
})
