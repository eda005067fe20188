import { expect, test } from 'vitest'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import { enclave } from '../../support/sample-profiles.ts'

test.each(Object.values(exportFormats))(
  '$name begins with what it is, and no tool finds an order there',
  ({ name, comment, render }) => {
    const header = `${comment} The export ${name} of a cloud profile, made by cloud-profile-service. Holds no secret.\n`
    expect(render(enclave).startsWith(comment === undefined ? '{\n  "' : header)).toBe(true)
  },
)
