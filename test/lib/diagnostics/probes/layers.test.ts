import { expect, test } from 'vitest'
import { runCheck, Layers } from '../../../../src/lib/diagnostics/checks.ts'

test.each<[string, unknown]>([
  ['an error', new RangeError('Invalid time value')],
  ['a text', 'oops'],
  ['nothing', undefined],
])('a check that throws %s is a failed check without the text of it', async (_what, thrown) => {
  const check = await runCheck({ id: 'group.name' }, () => {
    throw thrown
  })
  expect(check).toMatchObject({ id: 'group.name', status: 'fail', code: 'UNEXPECTED' })
  expect(JSON.stringify(check)).not.toMatch(/Invalid time|oops/)
})

test('what stands on a failed check is skipped, and says why', async () => {
  const layers = new Layers('group')
  await layers.check('one', () => {
    throw new TypeError('x')
  })
  await layers.check('two', () => ({ message: 'fine' }))
  expect(layers.checks.map(({ id, status, message }) => [id, status, message])).toEqual([
    ['group.one', 'fail', 'The check itself failed (TypeError)'],
    ['group.two', 'skip', 'Skipped: group.one failed'],
  ])
})
