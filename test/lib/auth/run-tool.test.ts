import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { endProcessTree, findTool } from '../../../src/lib/auth/run-tool.ts'

const finder = (platform: NodeJS.Platform, ...programs: readonly string[]) => {
  const isProgram = (path: string) => programs.includes(path)
  return { find: (environment: Record<string, string>) => findTool(environment, { platform, isProgram }) }
}

// env.test.ts has which folders of PATH are searched.
describe('the command-line tool', () => {
  test('is not there without PATH, and no other variable stands for that', () => {
    expect(finder('linux', '/usr/bin/az').find({ path: '/usr/bin', Path: '/usr/bin' })).toBeUndefined()
  })

  test('on Windows is the Python beside the batch file, so that no shell reads an argument', () => {
    const folder = String.raw`C:\Program Files\CLI2\wbin`
    const { find } = finder('win32', String.raw`${folder}\az.cmd`, String.raw`C:\Program Files\CLI2\python.exe`)
    const tool = { file: String.raw`C:\Program Files\CLI2\python.exe`, first: ['-IBm', 'azure.cli'] }
    for (const name of ['PATH', 'Path']) expect(find({ [name]: `C:\\Windows;${folder}` })).toEqual(tool)
  })
})

/** A child on Windows, and the taskkill that is started for it. */
function endOnWindows(environment: Record<string, string>) {
  const killed: string[] = []
  const started: (readonly [string, readonly string[], object])[] = []
  const taskkill = Object.assign(new EventEmitter(), { unref: () => undefined })
  const child = { pid: 4711, kill: (signal: string) => killed.push(signal) } as unknown as ChildProcess
  const start = ((file: string, args: readonly string[], options: object) => {
    started.push([file, args, options])
    return taskkill
  }) as unknown as typeof spawn
  endProcessTree(child, { platform: 'win32', environment, start })
  return { killed, started, taskkill }
}

test.each([
  [{ SystemRoot: String.raw`D:\WinNT` }, String.raw`D:\WinNT`],
  [{}, String.raw`C:\Windows`],
  [{ SystemRoot: String.raw`\\host\share` }, String.raw`C:\Windows`],
])('on Windows with %j, taskkill is that of the system, and runs in its folder', (environment, windows) => {
  const { started } = endOnWindows(environment)
  expect(started).toMatchObject([
    [`${windows}\\System32\\taskkill.exe`, ['/pid', '4711', '/T', '/F'], { cwd: windows }],
  ])
})

test('a missing taskkill ends the child alone, and nothing else', () => {
  const { killed, taskkill } = endOnWindows({})
  taskkill.emit('error', new Error('ENOENT'))
  expect(killed).toEqual(['SIGKILL'])
})

test.each([
  [0, []],
  [1, ['SIGKILL']],
])('a taskkill that exits with %d: the child gets %j', (code, signals) => {
  const { killed, taskkill } = endOnWindows({})
  taskkill.emit('exit', code)
  expect(killed).toEqual(signals)
})

test('a taskkill that cannot be started ends the child alone', () => {
  const killed: string[] = []
  const child = { pid: 4711, kill: (signal: string) => killed.push(signal) } as unknown as ChildProcess
  const start = () => {
    throw new Error('EPERM')
  }
  endProcessTree(child, { platform: 'win32', environment: {}, start: start as unknown as typeof spawn })
  expect(killed).toEqual(['SIGKILL'])
})
