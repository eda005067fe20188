import { describe, expect, test } from 'vitest'
import { exportGroups } from '../../../src/lib/export/define-export.ts'
import { exportFormats } from '../../../src/lib/export/export-formats.ts'
import { recipes } from '../../../src/lib/export/recipes.ts'
import { describeRuns } from '../../../src/lib/export/define-export.ts'
import { enclave } from './profiles.ts'

const formats = [...Object.values(exportFormats), ...Object.values(recipes)]

describe.each(formats.map((format) => [format.name, format] as const))('%s', (name, format) => {
  test('has a recorded run, or names what was read in its place', () => {
    expect(describeRuns(format)).not.toBe('Neither run nor read')
    expect(Object.keys(exportGroups)).toContain(format.group)
    expect(format.addByHand).not.toBe('')
  })

  test('says in its second line what the table says, if it can hold a comment', () => {
    const { comment } = format
    const header = `${comment} The export ${name} of a cloud profile, made by cloud-profile-service. Holds no secret.
${comment} ${describeRuns(format)}.\n`
    const begin = comment === undefined ? '{\n  "' : header
    expect(format.render(enclave).slice(0, begin.length)).toBe(begin)
  })

  test('names a client in a comment as its registry does, and gives no tool an order', () => {
    expect(describeRuns(format)).toMatch(
      /^(Last run with|Read, not run:) [A-Za-z0-9@][A-Za-z0-9 @._/(),+-]*(; read, not run: [A-Za-z0-9 ._/(),+-]+)?$/,
    )
  })
})
