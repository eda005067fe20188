import { expect, test } from 'vitest'
import { Layers } from '../../../../src/lib/diagnostics/checks.ts'

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
