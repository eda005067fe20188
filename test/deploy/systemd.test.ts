import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settingRows } from '../../src/lib/variables.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { findTool, runTool } from './tools.ts'

const analyze = findTool('systemd-analyze', 'Install systemd of Debian (.ci/deploy-tools does).')
const folder = join(repository, 'deploy/systemd')
const units = readdirSync(folder)
const services = units.filter((name) => name.endsWith('.service'))
const scratch = useTemporaryDirectory()

const read = (name: string) => readFileSync(join(folder, name), 'utf8')
/** The values of a directive, in their order. */
const valuesOf = (unit: string, directive: string) =>
  [...unit.matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'))].map(([, value = '']) => value)

describe.skipIf(analyze === undefined)('The units', () => {
  test.each([
    ['as they are', /$^/],
    ['with every credential that they offer', /^#(?=LoadCredential|Environment)/gm],
  ])('are valid %s', (how, removed) => {
    const copies = units.map((name) => {
      // The unit is checked against the Node of this machine.
      const text = read(name).replace(removed, '').replaceAll('/usr/bin/node', process.execPath)
      return scratch.write(`${how}/${name}`, text)
    })
    expect(runTool(analyze ?? '', ['verify', '--man=no', ...copies])).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test.each(services)('%s has an exposure of at most 2.0', (name) => {
    const args = ['security', '--offline=true', '--threshold=20', '--no-pager', join(folder, name)]
    const { code, stdout } = runTool(analyze ?? '', args)
    const level = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])
    expect([code, level <= 2]).toEqual([0, true])
    expect(valuesOf(read(name), 'DynamicUser')).toEqual(['yes'])
    expect(valuesOf(read(name), 'ProtectSystem')).toEqual(['strict'])
  })
})

test('every secret can come as a credential: each _PATH setting has its lines in the unit of the service', () => {
  const secrets = settingRows.filter(({ secret }) => secret).map(({ name }) => `${name}_PATH`)
  expect(secrets.length).toBeGreaterThan(3)
  const unit = read('cloud-profile.service')
  expect(services.map(read).join('')).not.toMatch(/^#?Environment=.*(SECRET|PASSWORD|HOST_KEY)=/m)
  for (const name of secrets) expect(unit).toMatch(new RegExp(`^#?Environment=${name}=%d/`, 'm'))
  const job = read('cloud-profile-smoke-test.service')
  // The smoke test has no server, so it needs no key.
  for (const name of secrets.filter((each) => each !== 'PLATFORM_HOST_KEY_PATH'))
    expect(job).toContain(`Environment=${name}=%d/`)
})

test.each(services)('%s allows the system calls with which Node serves, and no further group', (name) => {
  // The list under which the packed command served, ran diagnostics and stopped. Before you change it, start the unit under systemd.
  expect(valuesOf(read(name), 'SystemCallFilter')).toEqual(['@system-service', '~@privileged @resources'])
})
