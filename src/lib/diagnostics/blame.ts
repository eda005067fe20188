import { endpointTable } from '../endpoints/endpoint-table.ts'
import { hostFindings } from '../findings/host-findings.ts'
import { startFindings } from '../findings/start-findings.ts'
import type { FoundCheck } from './found-check.ts'
import { layers, type Layer } from './layer.ts'

/** The part of the id of a check before the first dot: an endpoint, `token`, or another subject. */
export function endpointOf({ id }: Pick<FoundCheck, 'id'>): string {
  return id.slice(0, id.indexOf('.'))
}

/**
 * The node of the connection diagram that a check is about, and that its failure blames. Probe matrix, diagram and root cause use this
 * one judgment, so that they never contradict each other.
 */
export function nodeOf(check: Pick<FoundCheck, 'id' | 'code' | 'status'>): string {
  const { code = '', status } = check
  const isBad = status === 'fail' || status === 'warn'
  if (isBad && code.endsWith('_PROXY_FAILED')) return 'proxy'
  if (isBad && isLocal(code)) return 'workload'
  const endpoint = endpointOf(check)
  if (endpoint === 'token') return 'authority'
  return endpointTable.some(({ id }) => id === endpoint) ? endpoint : 'workload'
}

/** Whether a code blames this machine or its settings, and no host. */
export function isLocal(code: string): boolean {
  return (
    code === 'CLOCK_SKEW' ||
    code.startsWith('IDENTITY_ENDPOINT_') ||
    Object.hasOwn(hostFindings, code) ||
    Object.hasOwn(startFindings, code)
  )
}

/** The column of the probe matrix that a check belongs to. */
export function layerOf(check: Pick<FoundCheck, 'id' | 'code' | 'status'>): Layer {
  // A proxy that refuses shows only when a request is sent.
  if (nodeOf(check) === 'proxy') return 'proxy'
  if (endpointOf(check) === 'token') return 'token'
  const name = check.id.slice(check.id.indexOf('.') + 1)
  const layer = layers.find((each) => each === name)
  if (layer !== undefined) return layer
  return name === 'accepts-token' ? 'token' : 'answer'
}
