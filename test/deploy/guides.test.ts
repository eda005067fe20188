import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { findTool, runTool } from './tools.ts'

const temp = useTemporaryDirectory()
const release = join(repository, 'dist/release')

/** What each block of a guide needs that is not here, or `run`. A new block must be listed. */
const guides: Readonly<Record<string, readonly (readonly [firstWords: string, state: string])[]>> = {
  'docs/deploy-azure-stack.md': [
    ['release=$PWD', 'run'],
    ['tar xzf $release/', 'test/deploy/stack.test.ts discovers a stack'],
    ['cp $release/', 'test/deploy/stack.test.ts unpacks and starts the zip'],
    ['node package/', 'needs a cloud'],
    ['host=my-cloud-profile', 'needs a cloud'],
    ['az webapp deployment', 'needs a cloud'],
  ],
  'docs/deploy-container.md': [
    ['release=$PWD', 'run'],
    ['docker build', 'test/deploy/container.test.ts builds the same Dockerfile with buildah'],
    ['(umask 077', 'run'],
    ['docker run', 'test/deploy/container.test.ts runs the image'],
    ['docker run --rm', 'test/deploy/container.test.ts runs the image'],
  ],
  'docs/deploy-functions.md': [
    ['release=$PWD', 'run'],
    ['cp $release/', 'run'],
    ['tar xzf $release/', 'run'],
    ['az cloud set', 'needs a cloud'],
    ['az role assignment', 'needs a cloud'],
    ['az functionapp deployment slot swap', 'needs a cloud'],
  ],
  'docs/deploy-kubernetes.md': [
    ['release=$PWD', 'run'],
    ['docker tag', 'needs a registry'],
    ['cp -r deploy/kubernetes/example', 'run'],
    ['kubectl apply --filename', 'run'],
    ['kubectl --namespace cloud-profile exec', 'needs a cluster'],
    ['kubectl apply --kustomize', 'run'],
  ],
  'docs/deploy-systemd.md': [
    ['release=$PWD', 'run'],
    ['install -d', 'run'],
    ['systemctl status', 'needs systemd as the first process'],
    ['mv /opt/cloud-profile/package', 'run'],
  ],
}

const blocksOf = (guide: string): string[] =>
  [...readFileSync(join(repository, guide), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)

/** The blocks that can run here, as one script. */
function scriptOf(guide: string): string {
  return blocksOf(guide)
    .filter((_, index) => guides[guide]?.[index]?.[1] === 'run')
    .join('\n')
}

/** Runs a script as a person types it, in the release folder. @param before Stands for programs that are not here. */
function type(guide: string, before: string, after: string, command: readonly string[] = ['bash']) {
  const [tool = '', ...args] = command
  const script = ['set -euo pipefail', before, scriptOf(guide), after].join('\n')
  const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), TMPDIR: temp.path }
  return runTool(tool, [...args, '-c', script], { cwd: release, env })
}

test.each(Object.keys(guides))('every block of %s is run here, or marked with the reason', (guide) => {
  const blocks = blocksOf(guide)
  expect(blocks.length).toBe(guides[guide]?.length)
  for (const [index, [firstWords]] of (guides[guide] ?? []).entries()) {
    expect(blocks[index]?.slice(0, firstWords.length)).toBe(firstWords)
  }
})

describe('The guides, typed', () => {
  test('container: the key is readable for one user only', () => {
    // Only root may give a file to another user.
    const chown = process.getuid?.() === 0 ? '' : 'chown() { :; }'
    const before = `${chown}\ncd() { command cd "$@"; touch client.pem; }`
    const { code, stdout, stderr } = type(
      'docs/deploy-container.md',
      before,
      'stat --format %a host-key; wc -c < host-key',
    )
    expect([code, stdout, stderr]).toEqual([0, '600\n65\n', ''])
  })

  test('functions: the zip takes the profile, and the command of the release writes the registration, up to the first call of az', () => {
    const profile = JSON.stringify(
      JSON.parse(/```json\n([^`]*)```/.exec(readFileSync(join(repository, 'README.md'), 'utf8'))?.[1] ?? ''),
    )
    const before = `cp() { command cp "$@"; printf %s '${profile}' > enclave.json; : > ca.pem; }
      sh() { command sh -n "$@" && echo registered; }`
    const { code, stdout, stderr } = type('docs/deploy-functions.md', before, 'unzip -Z1 app.zip')
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')])
    expect(stdout).toContain('registered')
    for (const name of ['host.json', 'dist/main.cjs', 'enclave.json', 'ca.pem'])
      expect(stdout.split('\n')).toContain(name)
  })

  const kubectl = findTool('kubectl', 'Install kubectl.')
  test.skipIf(kubectl === undefined)(
    'kubernetes: what is applied exists and can be built, and the secrets can be created',
    () => {
      // Without a cluster, "apply" builds what it would send, and "create" prints it.
      const before = `kubectl() {
        case " $* " in
        *" create "*) command kubectl "$@" --dry-run=client --output name ;;
        *" --dry-run=server "*) grep --count ^kind: ;;
        *" apply --filename "*) grep --quiet ^kind: "\${@: -1}" && echo applied ;;
        *" apply --kustomize "*) command kubectl kustomize "\${@: -1}" | grep --count ^kind: ;;
        *" rollout status "*) echo ready ;;
        *) command kubectl "$@" ;;
        esac
      }
      cd() { command cd "$@"; touch tls.crt tls.key ca.crt client-secret; }`
      const { code, stdout, stderr } = type('docs/deploy-kubernetes.md', before, '')
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout.split('\n')).toEqual(
        expect.arrayContaining([
          'applied',
          'secret/cloud-profile-host-key',
          'secret/cloud-profile-client-secret',
          'ready',
        ]),
      )
      const counts = stdout.split('\n').filter((line) => /^\d+$/.test(line))
      expect(counts.length).toBe(3)
      for (const count of counts) expect(Number(count)).toBeGreaterThan(8)
    },
  )

  const unshare = process.getuid?.() === 0 ? findTool('unshare', 'Install util-linux.') : undefined
  const canMount = unshare !== undefined && runTool(unshare, ['--mount', 'true']).code === 0
  test.skipIf(!canMount)(
    'systemd: the files are where the unit expects them, an upgrade and the way back keep the command',
    () => {
      // A copy of /etc and an empty /opt in a mount namespace; the units are started by hand.
      const before = `mount -t tmpfs tmpfs /opt
      cp --recursive /etc "$TMPDIR/etc" && mount --bind "$TMPDIR/etc" /etc
      mkdir --parents /etc/systemd/system
      systemctl() { echo "systemctl $*"; }`
      const after = `stat --format '%a %n' /etc/cloud-profile/host-key
      cd /etc/systemd/system && ls cloud-profile*
      entry=$(sed -n 's/^ExecStart=[^ ]* \\([^ ]*\\).*/\\1/p' /etc/systemd/system/cloud-profile.service)
      node $entry --version`
      const { code, stdout, stderr } = type('docs/deploy-systemd.md', before, after, [unshare ?? '', '--mount', 'bash'])
      expect([code, stderr]).toEqual([0, ''])
      for (const part of [
        'systemctl enable --now cloud-profile.service cloud-profile-smoke-test.timer',
        '600 /etc/cloud-profile/host-key',
        'cloud-profile-smoke-test.service\ncloud-profile-smoke-test.timer\ncloud-profile.service',
      ]) {
        expect(stdout).toContain(part)
      }
      expect(stdout).toMatch(/^\d+\.\d+\.\d+$/m)
    },
  )
})
