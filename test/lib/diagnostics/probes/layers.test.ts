import { expect, test } from 'vitest'
import { askCheck, Layers } from '../../../../src/lib/diagnostics/probes/layers.ts'

test.each<[string, unknown]>([
  ['an error', new RangeError('Invalid time value')],
  ['a text', 'oops'],
  ['nothing', undefined],
])('a question that throws %s is a failed check without the text of it', async (_what, thrown) => {
  const check = await askCheck('group.name', () => {
    throw thrown
  })
  expect(check).toMatchObject({ id: 'group.name', status: 'fail', code: 'UNEXPECTED' })
  expect(JSON.stringify(check)).not.toMatch(/Invalid time|oops/)
})

test('what stands on a failed question is skipped, and says why', async () => {
  const layers = new Layers('group')
  await layers.ask('one', () => {
    throw new TypeError('x')
  })
  await layers.ask('two', () => ({ message: 'fine' }))
  expect(layers.checks.map(({ id, status, message }) => [id, status, message])).toEqual([
    ['group.one', 'fail', 'The check itself failed (TypeError)'],
    ['group.two', 'skip', 'Skipped: group.one failed'],
  ])
})
