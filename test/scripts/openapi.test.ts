import type { CloudName } from '../../src/lib/index.ts'
import { expect, test } from 'vitest'
import { builtInProfileNames } from '../../src/lib/clouds/known-clouds.ts'
import { resolveCloudProfile } from '../../src/lib/cloud.ts'
import { contractProblems } from '../support/contract.ts'

// use-service.ts compares each response of a test with the document, and assemble-report.property.test.ts any report.
test.each(builtInProfileNames)('the profile %s has the fields of docs/reference/openapi.json and no other', (name) => {
  const profile = resolveCloudProfile({ name: name as CloudName, env: {} })
  expect(contractProblems('CloudProfile', profile)).toEqual([])
  expect(contractProblems('CloudProfile', { ...profile, extra: 1 })).not.toEqual([])
})
