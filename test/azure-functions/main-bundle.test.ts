import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { builtService } from '../support/build.ts'
import { chunkOf } from '../support/project-copy.ts'
import { cleanEnvironment, offline } from '../support/environment.ts'
import { useService } from '../support/use-service.ts'

const listRequired = fileURLToPath(new URL('children/list-required.ts', import.meta.url))
const main = () => readFileSync(join(builtService().deployable, 'dist/main.cjs'), 'utf8')
const chunk = (module: string) => readFileSync(chunkOf(builtService().deployable, module), 'utf8')

/** One cold start: the lines of stdout are its log and, last, the list of what it required. */
function startCold(env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [listRequired, builtService().deployable], {
    env: cleanEnvironment(env),
    encoding: 'utf8',
    timeout: 280_000,
  })
  const lines = stdout.trimEnd().split('\n')
  const [event = '', required = ''] = ['{', '['].map((start) => lines.find((line) => line.startsWith(start)))
  return { status, lines, event, required, stderr }
}

describe('dist/main.cjs', () => {
  test('it requires nothing but Node and its own parts by name', () => {
    const required = [...main().matchAll(/\b(?:require|import)\(["']([^"']+)["']\)/g)].map(([, id = '']) => id)
    expect(required.filter((id) => !/^((node:)?[a-z_/]+[\d]*|\.\/[a-z-]+-[0-9A-Z]{8}\.js)$/.test(id))).toEqual([])
  })

  test('a cold start requires no http client', () => {
    const { status, required, stderr } = startCold()
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect((JSON.parse(required) as string[]).sort()).toEqual(['node:fs', 'node:module', 'node:path', 'url', 'util'])
  })

  test('a cold start logs cloud and mode, and one line that says what was resolved and what is missing', () => {
    const { lines, event } = startCold({ PLATFORM_CLOUD: 'platform-us-government', AUTH_MODE: 'clientSecret' })
    expect(lines.slice(0, 2)).toEqual(['Cloud: platform-us-government', 'Auth Mode: clientSecret'])
    expect(JSON.parse(event)).toMatchObject({
      time: /Z$/,
      level: 'info',
      event: 'start',
      profile: 'platform-us-government',
      source: 'built-in platform-us-government',
      selectedBy: 'PLATFORM_CLOUD',
      authMode: 'clientSecret',
      authModeFrom: 'AUTH_MODE',
      warnings: ['CREDENTIAL_SETTING_MISSING'],
      message: /needs PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET/,
    })
  })

  test('a failed start logs one line with its code, and then fails with its own message', () => {
    const { status, lines, stderr } = startCold({ PLATFORM_CLOUD: 'nowhere' })
    expect(status).not.toBe(0)
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', event: 'start', message: /nowhere/ })
    expect(stderr).toContain('nowhere')
    expect(stderr).not.toContain('at ')
  })

  test('it names no path of the machine that built it', () => {
    for (const text of [main(), chunk('diagnostics'), chunk('page')]) expect(text).not.toContain(builtService().project)
  })
})

describe('A start from the deployable files alone', () => {
  const service = useService({ ...offline, SMOKE_TEST_CHECK_TOKEN: 'false' })

  /** The parts by name. What several of them share is in further files. */
  const loaded = async () => {
    const names = (await service().modules()).map((path) => basename(path).replace(/-[A-Z0-9]{8}\./, '.'))
    return names.filter((name) => name !== 'chunk.cjs' && name !== 'common.cjs')
  }

  test('there are no node_modules, and nothing is missing', () => {
    const { deployable } = builtService()
    expect(readdirSync(deployable).sort()).toEqual(['cloud-profiles', 'dist', 'host.json', 'package.json'])
    expect(existsSync(join(deployable, '..', 'node_modules'))).toBe(false)
  })

  test('each route loads what its response needs, and no more', async () => {
    const started = ['main.cjs', 'identity-provider.cjs', 'lint-profile.cjs', 'credential-plan.cjs']
    for (const path of ['/api/health', '/api/profile']) {
      await service().request(path)
      expect(await loaded()).toEqual(started)
    }
    await service().request('/admin/functions/smokeTest', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"input":""}',
    })
    await service().logged(({ message }) => message.includes('"event":"smoke-test",'))
    expect(await loaded()).toEqual(started)
    await service().request('/api/diagnostics')
    expect(await loaded()).toEqual([...started, 'diagnostics.cjs'])
    await service().request('/')
    expect(new Set(await loaded())).toEqual(new Set([...started, 'diagnostics.cjs', 'page.cjs']))
  })
})
