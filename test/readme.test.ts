import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explainCloudProfile } from '../src/lib/index.ts'
import { firstSettings } from '../src/lib/settings/settings.ts'
import { repository } from './support/project-copy.ts'
import { useTemporaryDirectory } from './support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

test('the example profile of docs/profiles.md is valid as a custom file, without a warning', () => {
  const [, example = ''] = /```json\n([^`]*)```/.exec(read('docs/profiles.md')) ?? []
  const customProfilePath = directory.write('enclave.json', example)
  const { profile, warnings } = explainCloudProfile({ customProfilePath, env: {} })
  expect(profile).toEqual(JSON.parse(example))
  expect(warnings).toEqual([])
})

test('README.md requires the version of Node that package.json requires', () => {
  const { engines } = JSON.parse(read('package.json')) as { readonly engines: { readonly node: string } }
  expect(engines.node).toBe(`>=${/Node ([\d.]+) or newer/.exec(read('README.md'))?.[1]}`)
})

test('docs/architecture.md has a row for every folder of src and src/lib', () => {
  const text = read('docs/architecture.md')
  const folders = ['src', 'src/lib', 'src/tools'].flatMap((parent) =>
    readdirSync(join(repository, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['lib', 'tools'].includes(entry.name))
      .map(({ name }) => `${parent}/${name}/`),
  )
  expect(folders.length).toBeGreaterThan(15)
  expect(folders.filter((folder) => text.split(`\n| \`${folder}\` |`).length !== 2)).toEqual([])
})

describe('Every guide', () => {
  const guides = [
    ...readdirSync(repository).filter((name) => name.endsWith('.md')),
    'deploy/README.md',
    ...readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]

  const lines = guides.flatMap((guide) => read(guide).split('\n'))

  test('creates a secret for its owner only', () => {
    const created = lines.filter((line) => /openssl rand[^|]*>/.test(line))
    expect(created.length).toBeGreaterThan(2)
    expect(created.filter((line) => !/\(umask 077 && openssl rand [^)]*\)/.test(line))).toEqual([])
  })

  test('passes no secret as an argument, which the process list shows', () => {
    // The shell itself runs printf.
    const commands = lines.map((line) => line.replace(/^printf '[^']*' "[^"]*" \|/, ''))
    const secret = /\$\((?:cat [^)]*(?:key|secret|password|token)|openssl rand)|\$key\b/
    expect(commands.filter((line) => secret.test(line))).toEqual([])
    expect('curl --header "x-functions-key: $(cat host-key)"').toMatch(secret)
  })
})

test('README.md has the lines that a start with nothing configured prints', () => {
  expect(read('README.md')).toContain(`\n${firstSettings.join('\n')}\n`)
})
