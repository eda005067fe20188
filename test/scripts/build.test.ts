import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeWhole } from '../../build.ts'
import { useProcesses } from '../support/processes.ts'
import { copyProject } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const directory = useTemporaryDirectory()
const bytes = (text: string) => new TextEncoder().encode(text)

describe('A file of a build', () => {
  test('may be written by several processes at once, and is always one of the texts', async () => {
    const path = join(directory.path, 'dist', 'main.cjs')
    await Promise.all(Array.from({ length: 20 }, (_, index) => writeWhole({ path, contents: bytes(`text ${index}`) })))
    expect(readFileSync(path, 'utf8')).toMatch(/^text \d+$/)
    expect(readdirSync(join(directory.path, 'dist'))).toEqual(['main.cjs'])
  })

  test('ends the command with one message, if there is no place for it', async () => {
    const project = copyProject(join(directory.path, 'project'))
    writeFileSync(join(project, 'dist'), '')
    const ended = await run(['scripts/main.ts', 'build'], { cwd: project })
    expect(ended).toMatchObject({ code: 2, stderr: /(^|\n)The operating system reports: E[A-Z]+: .*dist.*\n$/ })
    expect(ended.stderr).not.toMatch(/^\s+at /m)
  })
})
