import { describe, expect, test } from 'vitest'
import { findTool } from '../../../../src/lib/auth/tool/run-tool.ts'

const finder = (platform: NodeJS.Platform, ...programs: readonly string[]) => {
  const asked: string[] = []
  const isProgram = (path: string) => {
    asked.push(path)
    return programs.includes(path)
  }
  return { find: (environment: Record<string, string>) => findTool(environment, { platform, isProgram }), asked }
}

describe('the command-line tool', () => {
  test('is the first one in an absolute folder of PATH', () => {
    const { find } = finder('linux', '/usr/bin/az', '/opt/az/bin/az')
    expect(find({ PATH: '/nowhere:/opt/az/bin:/usr/bin' })).toEqual({ file: '/opt/az/bin/az', first: [] })
  })

  test.each(['', ':', '.', './bin', 'bin', '..', '~/bin', ':.:bin:'])(
    'is never searched in PATH %j, which is the current folder',
    (PATH) => {
      const { find, asked } = finder('linux', 'az', './az', 'bin/az')
      expect(find({ PATH })).toBeUndefined()
      expect(asked).toEqual([])
    },
  )

  test.each(['/opt/az/bin/', '/opt//az/bin', '/opt/az/./bin', '/opt/x/../az/bin'])(
    'is found in the absolute folder %s',
    (PATH) => {
      expect(finder('linux', '/opt/az/bin/az').find({ PATH })).toEqual({ file: '/opt/az/bin/az', first: [] })
    },
  )

  test('is not there without PATH, and no other variable stands for that', () => {
    expect(finder('linux', '/usr/bin/az').find({ path: '/usr/bin', Path: '/usr/bin' })).toBeUndefined()
  })

  test('on Windows is the Python beside the batch file, so that no shell reads an argument', () => {
    const folder = String.raw`C:\Program Files\CLI2\wbin`
    const { find } = finder('win32', String.raw`${folder}\az.cmd`, String.raw`C:\Program Files\CLI2\python.exe`)
    const tool = { file: String.raw`C:\Program Files\CLI2\python.exe`, first: ['-IBm', 'azure.cli'] }
    for (const name of ['PATH', 'Path']) expect(find({ [name]: `C:\\Windows;${folder}` })).toEqual(tool)
  })

  test.each(['', '.', String.raw`\bin`, 'bin', 'C:bin', String.raw`\\host\share`])(
    'on Windows is never looked for in %j',
    (Path) => {
      const { find, asked } = finder('win32', 'az.exe')
      expect(find({ Path })).toBeUndefined()
      expect(asked).toEqual([])
    },
  )
})
