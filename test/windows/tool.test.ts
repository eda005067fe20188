import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { command, useWindows, windows, windowsPath } from './windows.ts'

const { temp, start } = useWindows()
if (windows.program === undefined) process.stderr.write('SKIPPED: npm does not provide postject here.\n')

const installed = join(temp.path, 'tool with spaces')
const wbin = join(installed, 'wbin')
const answer = {
  accessToken: `${btoa('{"alg":"none"}')}.${btoa('{"aud":"https://management.usgovcloudapi.net/"}')}.c2ln`,
  expires_on: Math.floor(Date.now() / 1000) + 3600,
  tenant: '00000000-0000-0000-0000-000000000001',
  tokenType: 'Bearer',
}

/** How the programs of a folder were started. */
const startsIn = (folder: string): { program: string; args: string[]; folder: string }[] => {
  const file = join(folder, 'started.txt')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as never)
}

function install(...files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(join(temp.path, file, '..'), { recursive: true })
    copyFileSync(windows.program ?? '', join(temp.path, file))
  }
}

beforeEach(() => {
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(wbin, { recursive: true })
})

/** Runs smoke-test with the tool of `wbin`. @param cwd The current folder. */
const checkToken = (cwd = temp.path, timeoutMs = '60000') =>
  start([command, 'smoke-test', '--check-token', '--format', 'json'], {
    cwd,
    env: {
      AUTH_MODE: 'platformCli',
      WINEPATH: windowsPath(wbin),
      PLATFORM_CLOUD: 'platform-us-government',
      PLATFORM_TOKEN_TIMEOUT_MS: timeoutMs,
      // No probe reaches anything.
      HTTPS_PROXY: 'http://127.0.0.1:9',
    },
  }).ended
const args = expect.arrayContaining([
  'account',
  'get-access-token',
  '--resource',
  'https://management.usgovcloudapi.net',
])

describe.skipIf(windows.program === undefined)('platformCli', () => {
  test('runs az.exe by its path, in a folder of the system', async () => {
    install('tool with spaces/wbin/az.exe')
    temp.write('tool with spaces/wbin/answer.json', answer)
    const { stdout } = await checkToken()
    expect(startsIn(wbin)).toEqual([{ program: windowsPath(join(wbin, 'az.exe')), args, folder: /^C:\\windows$/i }])
    expect(stdout).not.toMatch(/CLI_(FAILED|TIMEOUT|NOT_INSTALLED)/)
  })

  test.each(['az.cmd', 'az.bat'])('runs the Python beside %s, and no shell', async (name) => {
    temp.write(`tool with spaces/wbin/${name}`, '@echo off\r\necho a shell was started> "%~dp0shell.txt"\r\n')
    install('tool with spaces/python.exe')
    temp.write('tool with spaces/answer.json', answer)
    const { stdout } = await checkToken()
    expect(startsIn(installed)).toMatchObject([{ args: expect.arrayContaining(['-IBm', 'azure.cli']) }])
    expect(existsSync(join(wbin, 'shell.txt'))).toBe(false)
    expect(stdout).not.toMatch(/CLI_(FAILED|TIMEOUT|NOT_INSTALLED)/)
  })

  test('runs no az.exe of the current folder', async () => {
    install('elsewhere/az.exe')
    temp.write('elsewhere/answer.json', answer)
    const { stdout } = await checkToken(join(temp.path, 'elsewhere'))
    expect(stdout).toContain('CLI_NOT_INSTALLED')
    expect(startsIn(join(temp.path, 'elsewhere'))).toEqual([])
  })

  test('ends a tool that hangs, and runs no taskkill.exe of the current folder', async () => {
    install('tool with spaces/wbin/az.exe', 'planted/taskkill.exe')
    temp.write('planted/answer.json', '')
    const planted = join(temp.path, 'planted')
    const { code, stdout } = await checkToken(planted, '3000')
    expect([code, stdout]).toEqual([1, expect.stringContaining('CLI_TIMEOUT')])
    expect(startsIn(wbin).length).toBe(1)
    expect(startsIn(planted)).toEqual([])
  })
})
