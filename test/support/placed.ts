import type { Check } from '../../src/lib/diagnostics/run.ts'
import { layers } from '../../src/lib/findings/finding.ts'
import type { NetworkFault } from '../../src/lib/errors.ts'
import { faults } from '../../src/lib/findings/network-faults.ts'

const subjects = ['AUTHORITY', 'RESOURCE_MANAGER', 'METADATA', 'IDENTITY_ENDPOINT', 'SERVICE']

/** A check of a sample with the endpoint, layer and fault that the product gives it. */
export function placed<T extends Pick<Check, 'id' | 'code'>>(
  check: T,
): T & Pick<Check, 'endpoint' | 'layer' | 'fault' | 'of'> {
  const [group = '', name = ''] = check.id.split('.')
  const layer = layers.find((each) => each === name) ?? (name === 'accepts-token' ? 'token' : 'response')
  const role = subjects.find((each) => check.code?.startsWith(`${each}_`))
  const fault = check.code?.slice((role?.length ?? 0) + 1) as NetworkFault
  const known = role !== undefined && Object.hasOwn(faults, fault) ? { fault } : {}
  const of = name === 'acquired' ? 'attempt' : 'claims'
  if (group === 'token') return { ...check, ...known, of, endpoint: 'authority', layer: 'token' }
  return ['profile', 'report', 'cloud'].includes(group)
    ? { ...check, ...known }
    : { ...check, ...known, endpoint: group, layer }
}
