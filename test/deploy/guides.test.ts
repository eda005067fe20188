import { chmodSync, readFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { azureLocal } from '../support/sample-profiles.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const { run } = useProcesses()
const release = join(repository, 'dist/release')

/** The blocks of a guide. guide-program.ts stands for `az` and `docker`, shell functions for others. `curl` calls the server of the release. */
const blocksOf = (guide: string): string[] =>
  [...readFileSync(join(repository, guide), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)

/** Every guide continues in the folder that these blocks make. */
const first = blocksOf('docs/deploy.md')

/** A service refuses to start with the words of the guides. */
const guid = '11111111-2222-3333-4444-555555555555'
const ids = { '_ID=TENANT': `_ID=${guid}`, '_ID=CLIENT': `_ID=${guid}` }

/** Blocks as one script, with the given words in place of the reader's. */
function scriptOf(blocks: readonly string[], replaced: Readonly<Record<string, string>> = {}): string {
  return Object.entries(replaced).reduce((script, [from, to]) => {
    expect(script).toContain(from)
    return script.replaceAll(from, to)
  }, blocks.join('\n'))
}

/** The programs that stand for `az` and `docker`, in a folder for PATH. A script of another shell finds them too. */
function programs(): string {
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(repository, 'test/deploy/guide-program.ts')}'`
  for (const name of ['az', 'docker']) chmodSync(temp.write(`programs/${name}`, `${program} ${name} "$@"\n`), 0o755)
  return join(temp.path, 'programs')
}

/** `curl` calls a server of the release in place of `https://$host`. Its key is `$key`, or the content of the file host-key. */
const curl = `curl() {
  if [ -z "\${server:-}" ]; then
    PORT=0 PLATFORM_CLOUD=platform-us-gov-secret AUTH_MODE=clientSecret PLATFORM_HOST_KEY="\${key:-$(cat host-key)}" \\
      node package/dist/cli/cloud-profile.cjs serve > "$work/server.log" 2> /dev/null &
    trap 'kill $(jobs -p)' EXIT
    until grep -q 'Server running' "$work/server.log"; do sleep 0.05; done
    server=$(sed -n 's/^Server running on //p' "$work/server.log")
  fi
  local words=()
  for word in "$@"; do words+=("\${word/https:\\/\\/$host/$server}"); done
  command curl --silent --noproxy '*' "\${words[@]}"
}`

interface Typed {
  /** What is typed, from the blocks of the guide. Default is each block once, in their order. */
  readonly order?: (blocks: readonly string[]) => readonly string[]
  /** Stands for programs that are not here. */
  readonly before: string
  readonly after?: string
  readonly replaced?: Readonly<Record<string, string>>
}

/** Runs a guide as a person types it, in the release folder. The enclave of a test responds meanwhile. */
function type(guide: string, { order = (blocks) => blocks, before, after = '', replaced }: Typed) {
  const typed = scriptOf([...first, ...order(blocksOf(guide))], replaced)
  const script = ['set -euo pipefail', before, typed, after].join('\n')
  const PATH = [programs(), dirname(process.execPath), process.env['PATH']].join(delimiter)
  const env = { HOME: join(temp.path, basename(guide)), TMPDIR: temp.path, GUIDE_KEY: 'a-key-of-the-app', PATH }
  return run(['-c', script], { command: 'bash', cwd: release, env })
}

describe('The guides, typed', () => {
  test('container: the key is readable for one user only, the image serves and checks itself', async () => {
    // Only root may give a file to another user.
    const chown = process.getuid?.() === 0 ? '' : 'chown() { :; }'
    const before = `${chown}
      crane() { [ -f "$5" ] && echo appended; }
      cd() { command cd "$@"; touch client.pem; }
      tar() { command tar "$@"; [ -d package ] || command tar xzf $release/cloud-profile-2.0.0.tgz; export GUIDE_ENTRY=$PWD/package/dist/cli/cloud-profile.cjs; }`
    const after = 'stat --format %a host-key; wc -c < host-key'
    const { code, stdout, stderr } = await type('docs/deploy-container.md', { before, after, replaced: ids })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')])
    expect(stdout).toMatch(/Server running on \S+\nCloud: platform-us-government\nAuth Mode: clientCertificate/)
    expect(stdout).toContain('ok    platform-us-government')
    expect(stdout).toMatch(/600\n65\n$/)
  })

  test('functions: the zip, the registration, each call of az, and the checks with the key of the app', async () => {
    const [, example = ''] =
      /```json\n([^`]*)```/.exec(readFileSync(join(repository, 'docs/profiles.md'), 'utf8')) ?? []
    const profile = JSON.stringify(JSON.parse(example))
    const before = `cp() { command cp "$@"; printf %s '${profile}' > enclave.json; : > ca.pem; command cp deploy/functions/parameters.government.json parameters.json; }
      ${curl}`
    const { code, stdout, stderr } = await type('docs/deploy-functions.md', { before, after: 'unzip -Z1 app.zip' })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')])
    // For the slot, and for the app after the swap.
    expect(stdout.match(/"status":"failed"(?=\n)/g)?.length).toBe(2)
    for (const name of ['host.json', 'dist/main.cjs', 'enclave.json', 'ca.pem'])
      expect(stdout.split('\n')).toContain(name)
  })

  const local = useEnclave({ cloud: azureLocal, localServices: true })
  const stack = useEnclave({ federationService: true })

  test('on premises: both clouds are discovered and registered, the secrets are in files, and the web app is checked', async () => {
    const roots = [local, stack].map(({ files }) => `'${files.authorityPath}'`).join(' ')
    const before = `cd() { command cd "$@"; }
      tar() { command tar "$@"; cat ${roots} > ca.pem; printf secret > client-secret; }
      ${curl}`
    const { code, stdout, stderr } = await type('docs/deploy-on-premises.md', {
      before,
      after: 'unzip -Z1 app.zip; cat local.json',
      replaced: {
        'https://armmanagement.FQDN/': local.cloud.profile.resourceManagerEndpoint,
        'https://management.REGION.FQDN': new URL(stack.cloud.resourceManagerEndpoint).origin,
      },
    })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')])
    expect(stdout).toMatch(/^ok    local\.json$/m)
    expect(stdout).toContain('"absent": [')
    expect(stdout.match(/"status":"failed"(?=\n)/g)?.length).toBe(1)
    for (const name of ['server.js', 'web.config', 'stack.json', 'ca.pem']) expect(stdout.split('\n')).toContain(name)
  })

  test('systemd: files, modes and enabled lines are right, and after two upgrades the way back is the second release', async () => {
    const root = join(temp.path, 'systemd')
    const before = `install -d ${root}/opt ${root}/etc/systemd/system
      cd() { command cd "$@"; printf secret > client-secret; }
      systemctl() { echo "systemctl $*"; }
      journalctl() { :; }
      curl() { cat; }`
    const mark = (name: string) => `echo ${name} > /opt/cloud-profile/package/mark`
    const { code, stdout, stderr } = await type('docs/deploy-systemd.md', {
      before,
      order: ([install = '', check = '', upgrade = '', ...back]) =>
        [install, mark('v1'), check, upgrade, mark('v2'), upgrade, mark('v3')].concat(back),
      replaced: { '/opt/': `${root}/opt/`, '/etc/': `${root}/etc/` },
      after: `cd ${root}; cat opt/cloud-profile/package/mark; find . -name mark | wc -l; cd etc
        stat --format '%a %n' cloud-profile/* systemd/system/cloud-profile*; grep -h client-secret$ systemd/system/*`,
    })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^systemctl enable --now cloud-profile\.service cloud-profile-smoke-test\.timer$/m)
    expect(stdout).toMatch(/^x-functions-key: [\da-f]{64}systemctl start cloud-profile-smoke-test$/m)
    expect(stdout.match(/^systemctl restart cloud-profile$/gm)).toHaveLength(3)
    expect(stdout).toMatch(/^v2\n1\n600 cloud-profile\/client-secret\n600 cloud-profile\/host-key\n/m)
    expect(stdout).toMatch(/^(?:LoadCredential=client-secret:\S+\nEnvironment=\w+=%d\/client-secret\n){2}$/m)
  })
})
