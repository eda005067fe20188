import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

// Stands for `az` and `docker` when a guide is typed: refuses a missing file and an unknown parameter, and prints what the guide goes on with.

const [program, ...args] = process.argv.slice(2)

/** The options of `docker run` without a value. */
const flags = new Set(['--rm', '--read-only', '--detach'])

function fail(message: string): never {
  process.stderr.write(`${program}: ${message}\n`)
  process.exit(2)
}

function mustExist(path: string): void {
  if (!existsSync(path)) fail(`there is no ${path}`)
}

function runAz(): void {
  const valueOf = (option: string) => (args.includes(option) ? args[args.indexOf(option) + 1] : undefined)
  const [source, template] = [valueOf('--src'), valueOf('--template-file')]
  if (source !== undefined) mustExist(source)
  if (template !== undefined) checkParameters(template)
  const command = args.join(' ')
  if (command.startsWith('functionapp show')) process.stdout.write('app.example\n')
  if (command.startsWith('functionapp keys list')) process.stdout.write(`${process.env['GUIDE_KEY'] ?? ''}\n`)
}

/** As `az deployment` reads them: `@FILE`, or `NAME=VALUE` and `NAME=@FILE` of parameters that the template declares. */
function checkParameters(templateFile: string): void {
  mustExist(templateFile)
  const template = JSON.parse(readFileSync(templateFile, 'utf8')) as { parameters: Record<string, unknown> }
  const starts = args.flatMap((word, index) => (word === '--parameters' ? [index + 1] : []))
  const values = starts.flatMap((start) => {
    const end = args.findIndex((word, index) => index >= start && word.startsWith('-'))
    return args.slice(start, end < 0 ? undefined : end)
  })
  for (const value of values) {
    const [, name, path] = /^(?:(\w+)=)?@(.+)$/.exec(value) ?? fail(`${value} is no parameter`)
    mustExist(path ?? '')
    if (name !== undefined && !(name in template.parameters)) fail(`the template has no parameter ${name}`)
    if (name !== undefined) continue
    const given = JSON.parse(readFileSync(path ?? '', 'utf8')) as { parameters: Record<string, unknown> }
    for (const each of Object.keys(given.parameters)) {
      if (!(each in template.parameters)) fail(`the template has no parameter ${each}`)
    }
  }
}

/** `build` and `tag` are checked; `run` starts the command of the image from the release, with the variables and the files of the host. */
function runDocker(): void {
  const [command, ...rest] = args
  if (command === 'build') {
    mustExist(rest[rest.indexOf('--file') + 1] ?? '')
    mustExist(`${rest.at(-1)}/SHA256SUMS`)
    return
  }
  if (command === 'tag' || command === 'push') {
    for (const name of rest) if (!/^[a-z0-9.-]+(\/[a-z0-9._-]+)*:[\w.-]+$/.test(name)) fail(`${name} is no image`)
    return
  }
  if (command !== 'run') fail(`no command ${command}`)
  const variables: Record<string, string> = {}
  const volumes: (readonly [inside: string, host: string])[] = []
  while (rest[0]?.startsWith('--') === true) {
    const option = rest.shift() ?? ''
    if (flags.has(option)) continue
    const value = rest.shift() ?? ''
    const [host = '', inside = ''] = value.split(':')
    if (option === '--volume') {
      mustExist(host)
      volumes.push([inside, host])
    }
    if (option === '--env') variables[value.slice(0, value.indexOf('='))] = value.slice(value.indexOf('=') + 1)
  }
  const [image = '', ...inside] = rest
  if (!/^[\w./-]+:[\w.]+$/.test(image)) fail(`${image} is no image`)
  const onHost = (value: string) => volumes.find(([path]) => path === value)?.[1] ?? value
  const env = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, onHost(value)]))
  const entry = process.env['GUIDE_ENTRY'] ?? ''
  const isServer = inside.length === 0
  const child = spawn(process.execPath, [entry, ...(isServer ? ['serve'] : inside)], {
    env: { PATH: process.env['PATH'], HOME: '/', PORT: '0', SMOKE_TEST_SCHEDULE: '0 0 0 1 1 *', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text)
    // It serves until it is told to end, and then ends well.
    if (isServer && text.includes('Server running on')) child.kill('SIGTERM')
  })
  child.once('close', (code) => (process.exitCode = code ?? 1))
}

if (program === 'az') runAz()
else if (program === 'docker') runDocker()
else fail('no such program')
