import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

/** How one command of the package ended. */
export interface CommandEnd {
  readonly code: number | null
  readonly output: string
}

/** What happened where there is no network, no registry, and no file but the release and Node. */
export interface GapReport {
  /** The names of the network interfaces: `lo` alone. */
  readonly interfaces: readonly string[]
  readonly commands: Readonly<Record<string, CommandEnd>>
  /** What the service that the package serves with TLS said. */
  readonly service: { readonly health: string; readonly diagnostics: string }
}

// The steps of a person in the air-gapped network: `inside.ts RELEASE WORK TSC EXAMPLE`, in a separate network namespace.
const [release = '', work = '', tsc = '', example = ''] = process.argv.slice(2)
const commands: Record<string, CommandEnd> = {}
const bare = { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`, HOME: work }
mkdirSync(join(work, 'app'), { recursive: true })

function run(name: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = work): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...bare, ...env },
    encoding: 'utf8',
    timeout: 280_000,
  })
  commands[name] = { code: status, output: `${stdout}${stderr}${error?.message ?? ''}` }
  return stdout
}

const version =
  /-(\d+\.\d+\.\d+)\.tgz$/.exec(
    readdirSync(release)
      .join('\n')
      .match(/^.*\.tgz$/m)?.[0] ?? '',
  )?.[1] ?? ''
const tarballs = ['cloud-profile', 'cloud-profile-service', 'cloud-profile-enclave'].map((name) =>
  join(release, `${name}-${version}.tgz`),
)
run('verify', 'sh', [join(release, 'verify.sh')])
run('unpack', 'tar', ['xzf', tarballs[0] ?? ''])
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
cloudProfile('help', ['--help'])
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

const tls = { PLATFORM_TLS_CERTIFICATE_PATH: join(work, 'tls.pem'), PLATFORM_TLS_KEY_PATH: join(work, 'tls.key') }
const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
const files = ['-keyout', tls.PLATFORM_TLS_KEY_PATH, '-out', tls.PLATFORM_TLS_CERTIFICATE_PATH]
run('certificate', 'openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files])
const [service, lines] = await start(['serve'], { ...settings, ...tls, PORT: '0' }, /Auth Mode: .*\n/)
const url = /^Server running on (\S+)$/m.exec(lines)?.[1] ?? ''
const PORT = new URL(url).port
const ask = (path: string) =>
  new Promise<string>((resolve, reject) => {
    get(url + path, { ca: readFileSync(tls.PLATFORM_TLS_CERTIFICATE_PATH) }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.once('end', () => resolve(text))
    }).once('error', reject)
  })
const answers = { health: await ask('/api/health'), diagnostics: await ask('/api/diagnostics') }
cloudProfile('health', ['health'], { ...settings, ...tls, PORT })
await stop(service)

const draft = join(work, 'draft.json')
cloudProfile('smoke-test --check-token', ['smoke-test', '--check-token'], settings)
cloudProfile('discover', ['discover', profile.resourceManagerEndpoint, '--name', 'found', '--output', draft], settings)
cloudProfile('check', ['check', draft])
cloudProfile('explain', ['explain'], settings)
cloudProfile('drift', ['drift'], settings)
cloudProfile('export', ['export', 'terraform'], settings)
cloudProfile('junit', ['smoke-test', '--check-token', '--format', 'junit'], settings)
cloudProfile('clouds', ['clouds'])
cloudProfile('sarif', ['check', '--format', 'sarif', draft])

const [demo, shown] = await start(['demo', '--fault', 'untrusted-ca'], { PORT: '0' }, /Auth Mode: .*\n/)
const report = await fetch(`${/^Server running on (\S+)$/m.exec(shown)?.[1]}/api/diagnostics`)
commands['demo'] = { code: 0, output: await report.text() }
await stop(demo)

const app = join(work, 'app')
const compilerOptions = {
  strict: true,
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023'],
  types: [],
  noEmit: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
}
writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['example.ts', 'check.ts'] }))
writeFileSync(join(app, 'example.ts'), `${readFileSync(example, 'utf8')}\nexport { account, token }\n`)
writeFileSync(
  join(app, 'check.ts'),
  "import { account, token } from './example.ts'\nconst told: string | undefined = token?.token\nexport { account, told }\n",
)
writeFileSync(
  join(app, 'main.mjs'),
  "const { account, token } = await import('./example.ts')\nprocess.stdout.write(`${account} ${token.token.split('.').length}`)\n",
)
const compile = JSON.parse(readFileSync(join(app, 'tsconfig.json'), 'utf8')) as { compilerOptions: object }
writeFileSync(
  join(app, 'tsconfig.json'),
  JSON.stringify({ ...compile, compilerOptions: { ...compile.compilerOptions, allowImportingTsExtensions: true } }),
)
run(
  'npm install',
  'npm',
  ['install', '--offline', '--no-audit', '--cache', join(work, 'empty-cache'), ...tarballs],
  {},
  app,
)
run('npx', 'npx', ['--offline', 'cloud-profile', '--version'], { npm_config_cache: join(work, 'empty-cache') }, app)
run('compile', process.execPath, [tsc, '-p', '.'], {}, app)
run('example', process.execPath, ['main.mjs'], settings, app)
run('verify again', 'sh', [join(release, 'verify.sh')])
await stop(enclave)

const gap: GapReport = { interfaces: Object.keys(networkInterfaces()), commands, service: answers }
process.stdout.write(`\n${JSON.stringify(gap)}`)
