import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { VERSION } from '../../src/lib/settings/version.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { findTool, runTool } from './tools.ts'

const actionlint = findTool('actionlint', 'Run .ci/deploy-tools.')
const { path: scratch, write } = useTemporaryDirectory()

interface Step {
  readonly run?: string
  readonly bash?: string
  readonly uses?: string
  readonly timeoutInMinutes?: string
  readonly env?: Readonly<Record<string, string>>
}
const read = (path: string): unknown => parse(readFileSync(join(repository, path), 'utf8'))
const action = read('deploy/github-action/action.yml') as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}
const template = read('deploy/azure-pipelines/run-in-enclave.yml') as {
  readonly parameters: readonly { readonly name: string; readonly default?: unknown }[]
  readonly steps: readonly Step[]
}
const { '.run-in-enclave': job } = read('deploy/gitlab/run-in-enclave.yml') as {
  readonly '.run-in-enclave': {
    readonly variables: Readonly<Record<string, string>>
    readonly script: readonly string[]
    readonly artifacts: { readonly paths: readonly string[] }
  }
}
const release = join(repository, `dist/release/cloud-profile-${VERSION}.tgz`)

type Inputs = Readonly<Record<string, string>>
type Pipeline = { readonly steps: readonly Step[]; readonly defaults: Inputs }
const upper = (inputs: Inputs) =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name.toUpperCase(), value]))
const textOf = (value: unknown) => (value === true ? 'True' : typeof value === 'string' ? value : '')
const ofAction = Object.entries(action.inputs).map(([name, input]) => [name, textOf(input.default)])
const ofTemplate = template.parameters.map((parameter) => [parameter.name, textOf(parameter.default)])
const pipelines: Readonly<Record<string, Pipeline>> = {
  'The action': { steps: action.runs.steps, defaults: Object.fromEntries(ofAction) as Inputs },
  'The template': { steps: template.steps, defaults: Object.fromEntries(ofTemplate) as Inputs },
  'The job': { steps: [{ bash: job.script.join('\n') }], defaults: {} },
}

/** Runs the steps with bash as the agents do, with the inputs in place of their expressions. */
function runSteps({ steps, defaults }: Pipeline, given: Inputs, more: object = {}) {
  const folder = mkdtempSync(join(scratch, 'run-'))
  const file = (each: string) => join(folder, each)
  const agent = {
    RUNNER_TEMP: file('temp'),
    AGENT_TEMPDIRECTORY: file('temp'),
    CI_PROJECT_DIR: folder,
    CI_JOB_ID: '7',
    GITHUB_JOB: 'test',
    GITHUB_PATH: file('path'),
    GITHUB_OUTPUT: file('output'),
    GITHUB_STEP_SUMMARY: file('summary.md'),
    ...more,
  }
  mkdirSync(agent.RUNNER_TEMP)
  for (const each of [agent.GITHUB_PATH, agent.GITHUB_OUTPUT, agent.GITHUB_STEP_SUMMARY]) writeFileSync(each, '')
  const inputs = { ...defaults, ...given }
  let last = { code: 0 as number | null, stdout: '', stderr: '' }
  for (const { run, bash, env = {} } of steps) {
    if ((run ?? bash) === undefined) continue
    const values = Object.entries(env).map(([variable, text]) => [
      variable,
      text.replace(/^\$\{\{ (?:inputs|parameters)\.(\w+) \}\}$/, (_, input: string) => inputs[input] ?? ''),
    ])
    const added = readFileSync(agent.GITHUB_PATH, 'utf8').trim()
    const path = [added, dirname(process.execPath), process.env['PATH']].filter(Boolean).join(delimiter)
    const ofJob = steps === pipelines['The job']?.steps ? { ...job.variables, ...upper(given) } : {}
    const variables = { HOME: scratch, PATH: path, ...agent, ...ofJob, ...Object.fromEntries(values) }
    last = runTool('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run ?? bash ?? ''], { env: variables })
    if (last.code !== 0) break
  }
  const find = (pattern: RegExp, text: string) => pattern.exec(text)?.[1]
  const summary = find(/##vso\[task\.uploadsummary\](.*)/, last.stdout) ?? agent.GITHUB_STEP_SUMMARY
  const kept =
    find(/##vso\[artifact\.upload artifactname=[\w-]+\](.*)/, last.stdout) ??
    find(/^report=(.*)$/m, readFileSync(agent.GITHUB_OUTPUT, 'utf8')) ??
    join(folder, job.artifacts.paths[0]?.replace('$CI_JOB_ID', '7') ?? '')
  const report = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as unknown) : undefined
  return { ...last, summary: readFileSync(summary, 'utf8') + last.stdout, report }
}

const signIn = `node -e "const e=process.env;fetch(e.AZURE_AUTHORITY_HOST+'/'+e.AZURE_TENANT_ID+'/oauth2/v2.0/token',{method:'POST',body:new URLSearchParams({grant_type:'client_credentials',client_id:e.AZURE_CLIENT_ID,client_secret:e.AZURE_CLIENT_SECRET,scope:'https://management.usgovcloudapi.net/.default'})}).then((r)=>process.exit(r.ok?0:9))"`
const foreign = `node -e "fetch('https://management.azure.com/')"`
const cloud = 'platform-us-government'

describe.each(Object.entries(pipelines))('%s, with the package of a release', (_name, pipeline) => {
  const start = (command: string, more: Inputs = {}) =>
    runSteps(pipeline, { package: release, command, cloud, ...more })

  test('passes a program that signs in, with the options of all lines, and keeps its hosts', () => {
    const vault = `process.exit(process.env.AZURE_KEYVAULT_URL.includes('kv-') ? 0 : 8)`
    const options = `--container uploads\n--secret "name=two words; $(exit 9)"\n--vault 'kv-1'\n`
    const { code, summary, stderr, report } = start(`${signIn} && node -e "${vault}"`, { options })
    expect([code, stderr]).toEqual([0, ''])
    expect(summary).toMatch(/Hosts that the program.*login\.microsoftonline\.us:443 +platform-\S+ +login +yes/s)
    expect(report).toMatchObject({ hosts: [{ host: 'login.microsoftonline.us', outcome: 'answered' }] })
  })

  test('fails for a host of another cloud unless strict is false, and for a program that fails', () => {
    const { code, summary } = start(foreign)
    expect([code, summary]).toEqual([1, expect.stringContaining('management.azure.com:443')])
    expect(start(foreign, { strict: 'false' }).code).toBe(0)
    expect(start('exit 7').code).toBe(7)
    expect(start('true', { cloud: 'mars' })).toMatchObject({ code: 2, summary: /No report/, report: undefined })
  })

  test('no input is part of a script: a quote or a substitution in it stays a text', () => {
    for (const { run, bash } of pipeline.steps) expect(run ?? bash ?? '').not.toContain('${{')
  })
})

test.each(['The action', 'The job'])('%s ends a program after its time limit', (name) => {
  const limit = { package: release, command: 'sleep 300', cloud, minutes: '0.1' }
  expect(runSteps(pipelines[name] as Pipeline, limit)).toMatchObject({ code: 124 })
})

test.skipIf(actionlint === undefined)('actionlint accepts the steps of the action and a workflow that uses it', () => {
  const cwd = join(scratch, 'lint')
  runTool('git', ['init', '-q', cwd])
  write('lint/deploy/github-action/action.yml', stringify(action))
  const used = { uses: './deploy/github-action', with: { command: 'npm test', cloud } }
  const inputs = Object.fromEntries(Object.keys(action.inputs).map((name) => [name, { type: 'string' }]))
  const workflow = (steps: readonly object[]) =>
    stringify({ on: { workflow_call: { inputs } }, jobs: { a: { 'runs-on': 'ubuntu-24.04', steps } } })
  write('lint/.github/workflows/use.yml', workflow([used]))
  write('lint/.github/workflows/steps.yml', workflow(action.runs.steps))
  expect(runTool(actionlint ?? '', ['-no-color'], { cwd })).toMatchObject({ code: 0, stdout: '' })
  write('lint/.github/workflows/use.yml', workflow([{ ...used, with: { comand: 'npm test' } }]))
  expect(runTool(actionlint ?? '', ['-no-color'], { cwd }).stdout).toContain('"comand" is not defined')
})
