import { chmodSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProgram } from '../../../src/lib/base/find-program.ts'
import { repository } from '../../support/project-copy.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()

test('a program is found in the absolute folders of PATH only', () => {
  const isProgram = () => true
  const find = (PATH: string, platform: NodeJS.Platform) => findProgram('git', { PATH }, { platform, isProgram })
  expect(find('.::bin:/usr/bin', 'linux')).toBe('/usr/bin/git')
  expect(find('.;;bin;\\\\host\\share;C:\\Git\\cmd', 'win32')).toBe('C:\\Git\\cmd\\git.exe')
  for (const path of ['', '.', ':', 'bin']) expect(find(path, 'linux')).toBeUndefined()
})

test.skipIf(process.platform === 'win32')('a file that is not executable is no program', () => {
  const file = temp.write('tool', '#!/bin/sh\n')
  chmodSync(file, 0o644)
  expect(findProgram('tool', { PATH: temp.path })).toBeUndefined()
  chmodSync(file, 0o755)
  expect(findProgram('tool', { PATH: temp.path })).toBe(file)
})

test('the packaged code starts no program by its bare name', () => {
  // A checkout's own tools are those of its PATH: npm and the Functions host.
  const development = new Set(['src/cli/commands/func.ts', 'src/cli/release/verify-packages.ts'])
  const found = globSync('src/**/*.ts', { cwd: repository }).flatMap((file) => {
    const path = file.replaceAll('\\', '/')
    const text = readFileSync(join(repository, file), 'utf8')
    return development.has(path)
      ? []
      : (text.match(/\b(?:spawn|spawnSync|execFile|execFileSync|exec|execSync)\)?\(\s*['"`][^'"`]*/g) ?? []).map(
          (call) => `${path}: ${call}`,
        )
  })
  expect(found).toEqual([])
})
