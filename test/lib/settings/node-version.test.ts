import { expect, test } from 'vitest'
import { refuseOldNode } from '../../../src/lib/settings/node-version.ts'
import { errorOf } from '../../support/error-of.ts'

test.each(['18.20.8', '20.20.2', '21.7.3', '22.0.0'])('Node %s is refused by name', (version) => {
  expect(errorOf(() => refuseOldNode(version))).toMatchObject({
    code: 'NODE_UNSUPPORTED',
    message: `Node ${version} is too old: Node 22.1 or later is needed`,
  })
})

test.each(['22.1.0', '22.14.0', '24.21.0', '26.10.0', undefined])('Node %s is accepted', (version) => {
  expect(() => refuseOldNode(version)).not.toThrow()
})
