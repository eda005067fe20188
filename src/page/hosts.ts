import type { Check, MatrixRow, Layer } from '../lib/diagnostics/report.ts'

/** What lies between this process and an accepted token, in the order it is passed, as people call it. */
export const layerNames = {
  proxy: 'Proxy',
  dns: 'DNS',
  tcp: 'TCP',
  tls: 'TLS',
  answer: 'Answer',
  token: 'Token',
} as const satisfies Record<Layer, string>

/** A failure of a layer in two or three words. */
const troubleWords: Readonly<Record<Layer, string>> = {
  proxy: 'proxy fails',
  dns: 'name unknown',
  tcp: 'no connection',
  tls: 'TLS fails',
  answer: 'wrong answer',
  token: 'no valid token',
}

/** Layers below the answer: when one fails, the way to the host is broken, and not the host. */
const wayLayers: ReadonlySet<Layer> = new Set(['proxy', 'dns', 'tcp', 'tls'])

const hostNames: Readonly<Record<string, string>> = {
  authority: 'Login authority',
  'resource-manager': 'Resource manager',
  storage: 'Storage',
  'key-vault': 'Key vault',
  metadata: 'Metadata',
  'identity-endpoint': 'Identity endpoint',
}

/** What people call a host of the report. */
export function hostName({ id }: Pick<MatrixRow, 'id'>): string {
  return Object.hasOwn(hostNames, id) ? (hostNames[id] ?? id) : id
}

/** The layers of a host that were looked at, in their order. */
function layersOf({
  layers,
}: MatrixRow): { readonly layer: Layer; readonly status: Check['status']; readonly check: string }[] {
  return (Object.keys(layerNames) as Layer[]).flatMap((layer) => {
    const found = layers[layer]
    return found === undefined ? [] : [{ layer, ...found }]
  })
}

/** How a host stands, and whether the way to it is broken. */
export interface HostState {
  readonly status: Check['status']
  /** Of the way alone. */
  readonly way: Check['status']
  /** The first failure, or else the first warning, in words. */
  readonly trouble?: string
}

export function stateOf(host: MatrixRow): HostState {
  const found = layersOf(host)
  const worst = (each: typeof found): Check['status'] =>
    (['fail', 'warn', 'pass'] as const).find((status) => each.some((one) => one.status === status)) ?? 'skip'
  const failed = found.find(({ status }) => status === 'fail')
  const warned = found.find(({ status }) => status === 'warn')
  const trouble = failed !== undefined ? troubleWords[failed.layer] : warned && `${layerNames[warned.layer]}: warning`
  const way = found.filter(({ layer }) => wayLayers.has(layer))
  return {
    status: worst(found),
    // What shares its host with another one has only an answer of its own.
    way:
      worst(way.length > 0 ? way : found) === 'fail' && way.length === 0 ? 'pass' : worst(way.length > 0 ? way : found),
    ...(trouble === undefined ? {} : { trouble }),
  }
}
