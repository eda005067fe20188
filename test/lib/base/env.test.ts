import { chmodSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProgram } from '../../../src/lib/base/env.ts'
import { repository } from '../../support/project-copy.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()

test('a program is found in the absolute folders of PATH only', () => {
  const isProgram = () => true
  const find = (PATH: string, platform: NodeJS.Platform) => findProgram('git', { PATH }, { platform, isProgram })
  expect(find('.::./bin:..:~/bin:/usr/bin', 'linux')).toBe('/usr/bin/git')
  expect(find('.;;bin;C:bin;\\bin;\\\\host\\share;C:\\Git\\cmd', 'win32')).toBe('C:\\Git\\cmd\\git.exe')
  expect(find('"bin"; "C:\\Program Files\\Git\\cmd"', 'win32')).toBe('C:\\Program Files\\Git\\cmd\\git.exe')
  for (const path of ['', '.', ':', 'bin']) expect(find(path, 'linux')).toBeUndefined()
})

test.skipIf(process.platform === 'win32')("a file that is not executable isn't found", () => {
  const file = temp.write('tool', '#!/bin/sh\n')
  chmodSync(file, 0o644)
  expect(findProgram('tool', { PATH: temp.path })).toBeUndefined()
  chmodSync(file, 0o755)
  expect(findProgram('tool', { PATH: temp.path })).toBe(file)
})

test.each([
  ['a program by its bare name', /\b(?:spawn|spawnSync|execFile|execFileSync|exec|execSync)\)?\(\s*['"`](?!\/)/],
  ['a shell', /\bshell: (?:true|process\b|['"])|\{ execSync|, execSync|\bexecSync\(/],
])('no code of ours starts %s', (_what, pattern) => {
  const files = globSync('src/**/*.ts', { cwd: repository })
  expect(files.filter((file) => pattern.test(readFileSync(join(repository, file), 'utf8')))).toEqual([])
})
