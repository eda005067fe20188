import { expect, test } from 'vitest'
import type { Fault } from '../../../../src/enclave/enclave.ts'
import { checkAcceptance } from '../../../../src/lib/diagnostics/acceptance/acceptance.ts'
import { resourceManagerTarget } from '../../../../src/lib/diagnostics/acceptance/resource-manager.ts'
import { useEnclave } from '../../../support/use-enclave.ts'

const running = useEnclave()

const show = async () => {
  const { profile, resourceManagerAudience } = running.cloud
  return checkAcceptance(resourceManagerTarget(profile, resourceManagerAudience), await running.token(), 3000)
}

test('a token for the resource manager is accepted', async () => {
  expect(await show()).toMatchObject({ id: 'resource-manager.accepts-token', status: 'pass' })
})

test.each<[Fault, 'warn' | 'fail', string]>([
  [{ kind: 'forbidden' }, 'warn', 'RESOURCE_MANAGER_FORBIDDEN'],
  [{ kind: 'rejects-token' }, 'fail', 'RESOURCE_MANAGER_REJECTED_TOKEN'],
  [{ kind: 'not-found' }, 'fail', 'RESOURCE_MANAGER_NOT_FOUND'],
  [{ kind: 'status-429' }, 'fail', 'RESOURCE_MANAGER_THROTTLED'],
  [{ kind: 'status-503' }, 'fail', 'RESOURCE_MANAGER_HTTP_ERROR'],
  [{ kind: 'redirect' }, 'fail', 'RESOURCE_MANAGER_REDIRECTED'],
  [{ kind: 'refused' }, 'fail', 'RESOURCE_MANAGER_REFUSED'],
])('%j is a %s that is told as %s', async (fault, status, code) => {
  await running.cloud.setFault(fault, 'resource-manager')
  expect(await show()).toMatchObject({ status, code })
})
