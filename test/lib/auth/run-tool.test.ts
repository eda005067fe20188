import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { endProcessTree, findTool } from '../../../src/lib/auth/modes/platform-cli.ts'

const finder = (platform: NodeJS.Platform, ...programs: readonly string[]) => {
  const isProgram = (path: string) => programs.includes(path)
  return (environment: Record<string, string>) => findTool(environment, { platform, isProgram })
}

// env.test.ts has which folders of PATH are searched.
describe('the command-line tool', () => {
  test('is not there without PATH, and no other variable stands for that', () => {
    expect(finder('linux', '/usr/bin/az')({ path: '/usr/bin', Path: '/usr/bin' })).toBeUndefined()
  })

  test('on Windows is the Python beside the batch file, so that no shell reads an argument', () => {
    const folder = String.raw`C:\Program Files\CLI2\wbin`
    const find = finder('win32', String.raw`${folder}\az.cmd`, String.raw`C:\Program Files\CLI2\python.exe`)
    const tool = { file: String.raw`C:\Program Files\CLI2\python.exe`, first: ['-IBm', 'azure.cli'] }
    for (const name of ['PATH', 'Path']) expect(find({ [name]: `C:\\Windows;${folder}` })).toEqual(tool)
  })
})

/** Ends a child on Windows: what is started for it, and the signals that it gets itself. */
function endOnWindows(environment: Record<string, string>, taskkill: () => EventEmitter) {
  const killed: string[] = []
  const started: (readonly [string, readonly string[], object])[] = []
  const child = { pid: 4711, kill: (signal: string) => killed.push(signal) } as unknown as ChildProcess
  const start = ((file: string, args: readonly string[], options: object) => {
    started.push([file, args, options])
    return Object.assign(taskkill(), { unref: () => undefined })
  }) as unknown as typeof spawn
  endProcessTree(child, start, 'win32', environment)
  return { killed, started }
}

test.each([
  [{ SystemRoot: String.raw`D:\WinNT` }, String.raw`D:\WinNT`],
  [{}, String.raw`C:\Windows`],
  [{ SystemRoot: String.raw`\\host\share` }, String.raw`C:\Windows`],
])('on Windows with %j, taskkill comes from the system folder, and runs in it', (environment, windows) => {
  const { started } = endOnWindows(environment, () => new EventEmitter())
  expect(started).toMatchObject([
    [`${windows}\\System32\\taskkill.exe`, ['/pid', '4711', '/T', '/F'], { cwd: windows }],
  ])
})

test.each<[what: string, event: string, value: unknown, signals: readonly string[]]>([
  ['succeeds', 'exit', 0, []],
  ['fails', 'exit', 1, ['SIGKILL']],
  ['is missing', 'error', new Error('ENOENT'), ['SIGKILL']],
])('if taskkill %s, the child gets no other signal than needed', (_what, event, value, signals) => {
  const taskkill = new EventEmitter()
  const { killed } = endOnWindows({}, () => taskkill)
  taskkill.emit(event, value)
  expect(killed).toEqual(signals)
})

test('a taskkill that cannot be started ends the child alone', () => {
  const refuse = () => {
    throw new Error('EPERM')
  }
  expect(endOnWindows({}, refuse).killed).toEqual(['SIGKILL'])
})
