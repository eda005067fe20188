import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

/** What happened without a network, without a registry, and with the release and Node as the only files. */
export interface GapReport {
  /** The names of the network interfaces. Expected: only `lo`. */
  readonly interfaces: readonly string[]
  /** How each command of the package ended. */
  readonly commands: Readonly<Record<string, { readonly code: number | null; readonly output: string }>>
  /** What the service of the package said. */
  readonly service: { readonly health: string; readonly diagnostics: string }
}

// The steps of a person in the air-gapped network: `inside.ts RELEASE WORK EXAMPLE`, in a separate network namespace.
const [release = '', work = '', example = ''] = process.argv.slice(2)
const commands: Record<string, GapReport['commands'][string]> = {}
const bare = { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`, HOME: work }
mkdirSync(join(work, 'app'), { recursive: true })

function run(name: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = work): string {
  const options = { cwd, env: { ...bare, ...env }, encoding: 'utf8', timeout: 280_000 } as const
  const { status, stdout, stderr, error } = spawnSync(command, args, options)
  commands[name] = { code: status, output: `${stdout}${stderr}${error?.message ?? ''}` }
  return stdout
}

const tarballs = readdirSync(release).flatMap((name) => (name.endsWith('.tgz') ? [join(release, name)] : []))
run('verify', 'sh', [join(release, 'verify.sh')])
run('unpack', 'tar', ['xzf', tarballs.find((path) => /profile-\d[^/]*$/.test(path)) ?? ''])
const entry = join(work, 'package/dist/cli/cloud-profile.cjs')
const cloudProfile = (name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(name, process.execPath, [entry, ...args], env)

async function start(args: readonly string[], env: NodeJS.ProcessEnv, ready: RegExp): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, [entry, ...args], { cwd: work, env: { ...bare, ...env } })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stdout.setEncoding('utf8')
  for await (const text of child.stdout as AsyncIterable<string>) {
    output += text
    if (ready.test(output)) break
  }
  if (!ready.test(output)) throw new Error(`${args.join(' ')} ended:\n${output}`)
  return [child, output]
}

const stop = async (child: ChildProcess) => {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

cloudProfile('version', ['--version'])
cloudProfile('smoke-test --all', ['smoke-test', '--all'])

const [enclave, printed] = await start(['enclave'], {}, /export PLATFORM_CLIENT_SECRET=.*\n/)
/** The shell says what the lines mean. */
const settings = Object.fromEntries(
  spawnSync('sh', ['-c', `${printed.replace(/^Enclave running.*$/m, '')}\nenv -0`], { env: {}, encoding: 'utf8' })
    .stdout.split('\0')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
    .filter(([name]) => /^[A-Z]+_/.test(name ?? '')),
) as Record<string, string>
const profile = JSON.parse(readFileSync(settings['CUSTOM_CLOUD_PROFILE_PATH'] ?? '', 'utf8')) as {
  resourceManagerEndpoint: string
}

const [service, lines] = await start(['serve'], { ...settings, PORT: '0' }, /Auth Mode: .*\n/)
const url = /^Server running on (\S+)$/m.exec(lines)?.[1] ?? ''
const read = async (path: string) => (await fetch(`${url}/api/${path}`)).text()
const answers = { health: await read('health'), diagnostics: await read('diagnostics') }
cloudProfile('health', ['health'], { ...settings, PORT: new URL(url).port })
await stop(service)

const draft = join(work, 'draft.json')
cloudProfile('smoke-test --check-token', ['smoke-test', '--check-token'], settings)
cloudProfile('discover', ['discover', profile.resourceManagerEndpoint, '--name', 'found', '--output', draft], settings)
cloudProfile('check', ['check', draft])
cloudProfile('drift', ['drift'], settings)

const app = join(work, 'app')
const cache = join(work, 'empty-cache')
writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
writeFileSync(join(app, 'main.mjs'), example)
run('npm install', 'npm', ['install', '--offline', '--no-audit', '--cache', cache, ...tarballs], {}, app)
run('npx', 'npx', ['--offline', 'cloud-profile', '--version'], { npm_config_cache: cache }, app)
run('example', process.execPath, ['main.mjs'], settings, app)
run('verify again', 'sh', [join(release, 'verify.sh')])
await stop(enclave)

const gap: GapReport = { interfaces: Object.keys(networkInterfaces()), commands, service: answers }
process.stdout.write(`\n${JSON.stringify(gap)}`)
