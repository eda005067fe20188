import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { VERSION } from '../../src/lib/settings/version.ts'
import { copyProject, repository } from '../support/project-copy.ts'
import { findTool, runTool } from './tools.ts'

const actionlint = findTool('actionlint', 'Run .ci/deploy-tools.')
const scratch = mkdtempSync(join(tmpdir(), 'pipelines-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

interface Step {
  readonly run?: string
  readonly bash?: string
  readonly env: Readonly<Record<string, string>>
}
const read = (path: string): unknown => parse(readFileSync(join(repository, path), 'utf8'))
const action = read('deploy/github-action/action.yml') as {
  readonly inputs: Readonly<Record<string, object>>
  readonly runs: { readonly steps: readonly Step[] }
}
const template = read('deploy/azure-pipelines/run-in-enclave.yml') as { readonly steps: readonly Step[] }
const release = join(repository, `dist/release/cloud-profile-${VERSION}.tgz`)

/** Runs the steps with bash as the agents do, with the inputs in place of their expressions. */
function runSteps(name: string, steps: readonly Step[], inputs: Readonly<Record<string, string>>, more: object = {}) {
  const folder = join(scratch, name)
  mkdirSync(folder, { recursive: true })
  const file = (each: string) => join(folder, each)
  const agent = {
    RUNNER_TEMP: file('temp'),
    AGENT_TEMPDIRECTORY: file('temp'),
    GITHUB_PATH: file('path'),
    GITHUB_STEP_SUMMARY: file('summary.md'),
    ...more,
  }
  for (const each of [agent.GITHUB_PATH, agent.GITHUB_STEP_SUMMARY]) writeFileSync(each, '')
  let last = { code: 0 as number | null, stdout: '', stderr: '' }
  for (const { run, bash, env } of steps) {
    const values = Object.entries(env).map(([variable, text]) => [
      variable,
      text.replace(/^\$\{\{ (?:inputs|parameters)\.(\w+) \}\}$/, (_, input: string) => inputs[input] ?? ''),
    ])
    const added = readFileSync(agent.GITHUB_PATH, 'utf8').trim()
    const path = [added, dirname(process.execPath), process.env['PATH']].filter(Boolean).join(delimiter)
    const variables = { HOME: scratch, PATH: path, ...agent, ...Object.fromEntries(values) }
    last = runTool('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run ?? bash ?? ''], { env: variables })
    if (last.code !== 0) break
  }
  const summary = last.stdout.match(/##vso\[task\.uploadsummary\](.*)/)?.[1] ?? agent.GITHUB_STEP_SUMMARY
  return { ...last, summary: readFileSync(summary, 'utf8') }
}

const signIn = `node -e "const e=process.env;fetch(e.AZURE_AUTHORITY_HOST+'/'+e.AZURE_TENANT_ID+'/oauth2/v2.0/token',{method:'POST',body:new URLSearchParams({grant_type:'client_credentials',client_id:e.AZURE_CLIENT_ID,client_secret:e.AZURE_CLIENT_SECRET,scope:'https://management.usgovcloudapi.net/.default'})}).then((r)=>process.exit(r.ok?0:9))"`
const foreign = `node -e "fetch('https://management.azure.com/')"`
const cloud = 'platform-us-government'

describe.each([
  ['The action', action.runs.steps],
  ['The template', template.steps],
])('%s, with the package of a release', (name, steps) => {
  const start = (command: string, options = '') =>
    runSteps(`${name} ${command.length}`, steps, { package: release, command, cloud, options })

  test('passes a program that signs in, and its hosts are the summary', () => {
    const { code, summary, stderr } = start(signIn, '--container uploads')
    expect([code, stderr]).toEqual([0, ''])
    expect(summary).toMatch(/^### Hosts.*login\.microsoftonline\.us:443 +platform-us-government +login +yes/s)
  })

  test('fails for a host of another cloud, and for a program that fails', () => {
    const { code, summary } = start(foreign)
    expect([code, summary]).toEqual([1, expect.stringContaining('management.azure.com:443')])
    expect(start('exit 7').code).toBe(7)
  })

  test('fails where the program could not run, and says so', () => {
    const { code, summary } = runSteps(`${name} unknown`, steps, { package: release, command: 'true', cloud: 'mars' })
    expect([code, summary]).toEqual([2, expect.stringContaining('The program did not run')])
  })

  test('no input is part of a script: a quote or a substitution in it stays a text', () => {
    for (const { run, bash } of steps) expect(run ?? bash).not.toContain('${{')
  })
})

test('The action runs the command from its repository without a package', () => {
  const project = copyProject(join(scratch, 'repository'))
  const more = { GITHUB_ACTION_PATH: join(project, 'deploy/github-action') }
  expect(runSteps('own', action.runs.steps, { command: signIn, cloud }, more)).toMatchObject({ code: 0 })
})

test.skipIf(actionlint === undefined)('actionlint accepts the steps of the action and a workflow that uses it', () => {
  const folder = join(scratch, 'lint')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  runTool('git', ['init', '-q', folder])
  write('deploy/github-action/action.yml', stringify(action))
  const used = { uses: './deploy/github-action', with: { command: 'npm test', cloud } }
  const inputs = Object.fromEntries(Object.keys(action.inputs).map((name) => [name, { type: 'string' }]))
  const workflow = (steps: readonly object[]) =>
    stringify({ on: { workflow_call: { inputs } }, jobs: { a: { 'runs-on': 'ubuntu-24.04', steps } } })
  write('.github/workflows/use.yml', workflow([used]))
  write('.github/workflows/steps.yml', workflow(action.runs.steps))
  expect(runTool(actionlint ?? '', ['-no-color'], { cwd: folder })).toMatchObject({ code: 0, stdout: '' })
  write('.github/workflows/use.yml', workflow([{ ...used, with: { comand: 'npm test' } }]))
  expect(runTool(actionlint ?? '', ['-no-color'], { cwd: folder }).stdout).toContain('"comand" is not defined')
})
