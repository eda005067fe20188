import type { Enclave, EnclaveFiles, EnclaveOptions } from 'cloud-profile-enclave/enclave'
import {
  enclaveAuthModes,
  faultTable,
  versionSets,
  type EnclaveAuthMode,
  type Fault,
  type FaultKind,
  type FaultTarget,
} from 'cloud-profile-enclave/choices'
import { counterpartOf } from '../lib/clouds/counterpart.ts'
import { choose, exitCodes, type Options, type Values, UsageError } from './command.ts'
import { onStopSignal } from './processes.ts'
import { createPrivateFolder } from '../tools/run/life.ts'
import { showValue } from '../lib/base/printable.ts'
import { type Terminal, elide, formatTable, wrap } from './terminal.ts'

/** The options of the commands that run an enclave. */
export const enclaveOptions = {
  'federation-service': { help: 'the login authority is a federation service (AD FS), as on a stack' },
  versions: {
    value: 'SET',
    help: 'API versions of its services; stack stops at the versions of an on-premises stack',
    default: 'current',
    choices: versionSets,
  },
  mode: { value: 'MODE', help: 'auth mode of the service', default: 'clientSecret', choices: enclaveAuthModes },
  lenient: {
    help: 'also accept audiences that a private cloud refuses: the resource manager endpoint and https://storage.azure.com/',
  },
  fault: {
    value: 'NAME[@TARGET]',
    help: 'simulate a fault, such as untrusted-ca or silent@login/token; --fault list prints all',
  },
} as const satisfies Options

/** The options that fill the storage account and the key vault. */
export const seedOptions = {
  container: { value: 'NAME', help: 'a container of the storage account', multiple: true },
  queue: { value: 'NAME', help: 'a queue of the storage account; needs --azurite', multiple: true },
  secret: { value: 'NAME=VALUE', help: 'a secret of the key vault, for tests', multiple: true },
  key: { value: 'NAME', help: 'an RSA key of the key vault', multiple: true },
  seed: {
    value: 'DIR',
    help: 'a folder of content: blobs in containers/NAME/…, names and values in secrets.json and in settings.json (App Configuration)',
  },
  azurite: { help: 'serve blobs, queues and tables with azurite, which must be installed' },
} as const satisfies Options

/** @throws {UsageError} for a secret without a value. The value is never shown. */
export function readSeedOptions({ container, queue, secret, key, seed, azurite }: Values<typeof seedOptions>) {
  const secrets = secret.map((text, index) => {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError(`--secret number ${index + 1} must be NAME=VALUE`)
    return [text.slice(0, at), text.slice(at + 1)] as const
  })
  const names = { containers: container, queues: queue, keys: key, secrets: Object.fromEntries(secrets) }
  return { ...names, seed, ...(azurite && { azurite }) }
}

interface Session {
  readonly enclave: Enclave
  readonly files: EnclaveFiles
  /** Resolves when this process should stop. */
  readonly stopped: Promise<void>
}

/**
 * Opens the enclave that the options of a command describe, writes its files to a temporary folder, prints its fault, and closes it after the
 * work, whether the work ends, fails or is stopped by a signal. For `--fault list` it prints the faults and opens nothing.
 */
export async function withChosenEnclave(
  { mode, fault: named, versions, lenient, 'federation-service': federationService }: Values<typeof enclaveOptions>,
  { print, note, width }: Terminal,
  { isDemo, ...options }: EnclaveOptions & { readonly isDemo: boolean },
  work: (session: Session) => Promise<number>,
): Promise<number> {
  if (named === 'list') {
    print(listFaults(mode, width, isDemo))
    return exitCodes.passed
  }
  const chosen = named === undefined ? undefined : readFault(named, mode, isDemo)
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const workInside = async () => {
    // Loaded here because the certificate library is slow, and `--help` and `--fault list` don't need it.
    const { startEnclave, writeEnclaveFiles } = await import('cloud-profile-enclave/enclave')
    const { cloud } = options
    const adviceOn = cloud && ((resource: string) => counterpartOf(resource, { cloud })?.advice)
    const faults = chosen && [chosen]
    const folder = createPrivateFolder()
    let enclave: Enclave | undefined
    try {
      enclave = await startEnclave({ federationService, versions, lenient, faults, adviceOn, ...options })
      const files = await writeEnclaveFiles(enclave, folder.path)
      if (chosen !== undefined)
        note(`Fault: ${chosen.fault.kind} at ${chosen.target}: ${faultTable[chosen.fault.kind].effect}`)
      if (chosen?.isVisible === false)
        note(`The service does not contact ${chosen.target} in this mode: only other clients see the fault`)
      return await work({ enclave, files, stopped })
    } finally {
      await enclave?.close()
      folder.remove()
    }
  }
  const ended = workInside()
  onStopSignal(async () => {
    stop()
    await ended.catch(() => {})
  })
  return ended
}

const always: readonly FaultTarget[] = [
  'login',
  'login/openid-configuration',
  'resource-manager',
  'resource-manager/metadata',
  'resource-manager/subscriptions',
]
const byDefault: readonly FaultTarget[] = [...always, 'login/token']

/** The demo configures both. Other services may not contact them. */
const services: readonly FaultTarget[] = ['vault', 'storage']

/** The service reads no document of vault and storage, only whether they accept its token. */
const documentFaults: ReadonlySet<FaultKind> = new Set(['invalid-json', 'not-utf8', 'byte-order-mark'])

const targetsByMode: Readonly<Partial<Record<EnclaveAuthMode, readonly FaultTarget[]>>> = {
  deviceCode: ['login/device-code', ...byDefault],
  managedIdentity: ['managed-identity', ...always],
  // The tool acquires the token itself.
  platformCli: always,
}

/** The targets of a fault that the service contacts in a mode. Targets that other modes don't contact come first, vault and storage last. */
function visibleTargets(kind: FaultKind, mode: EnclaveAuthMode, isDemo: boolean): readonly FaultTarget[] {
  const shown = isDemo && !documentFaults.has(kind) ? services : []
  const contacted = new Set([...(targetsByMode[mode] ?? byDefault), ...shown])
  const rank = (target: FaultTarget) => (services.includes(target) ? 2 : byDefault.includes(target) ? 1 : 0)
  const visible = faultTable[kind].targets.filter((target) => contacted.has(target))
  return visible.toSorted((one, other) => rank(one) - rank(other))
}

const kindNames = Object.keys(faultTable) as FaultKind[]

/** Parameters that show the effect of a fault. */
const parameters: Readonly<Partial<Record<FaultKind, object>>> = {
  aadsts: { number: 50049, error: 'invalid_instance' },
  'clock-skew': { seconds: 900 },
}

/** Reads `NAME` or `NAME@TARGET`. @throws {UsageError} if the fault doesn't apply to the target, or the service of the demo doesn't contact it. */
export function readFault(text: string, mode: EnclaveAuthMode, isDemo: boolean) {
  const [name = '', place] = text.split('@')
  const kind = choose('fault', name, Object.fromEntries(kindNames.map((each) => [each, each])))
  const visible = visibleTargets(kind, mode, isDemo)
  const { targets } = faultTable[kind]
  const target = place === undefined ? (visible[0] ?? targets[0]) : targets.find((each) => each === place)
  if (target === undefined)
    throw new UsageError(`The fault ${kind} does not apply to ${showValue(place)}, only to ${targets.join(', ')}`)
  const isVisible = visible.includes(target)
  if (!isVisible && isDemo) {
    const modes = enclaveAuthModes.filter((each) => visibleTargets(kind, each, isDemo).includes(target))
    const [hint, names] =
      visible.length > 0 ? ['with this mode it applies to', visible] : ['it has an effect with --mode', modes]
    const advice = names.length === 0 ? '' : `: ${hint} ${names.join(', ')}`
    throw new UsageError(`The fault ${text} has no effect with --mode ${mode}${advice}`)
  }
  return { fault: { kind, ...parameters[kind] } as Fault, target, isVisible }
}

/** The faults, one a line, with their targets where a line has room. The demo lists only what its service contacts. */
function listFaults(mode: EnclaveAuthMode, width: number, isDemo: boolean): string {
  const head = ['Fault', 'Effect', 'Targets'].slice(0, width < 100 ? 2 : 3)
  const rows = kindNames.flatMap((kind) => {
    const visible = visibleTargets(kind, mode, isDemo)
    const targets = isDemo ? visible : new Set([...visible, ...faultTable[kind].targets])
    return visible.length === 0 && isDemo ? [] : [[kind, faultTable[kind].effect, [...targets].join(', ')]]
  })
  const table = formatTable(head, rows).replace(/.+/g, (line) => elide(line, width))
  const contacted = isDemo ? ` The service contacts these targets with --mode ${mode}.` : ''
  const more = Number.isFinite(width) ? ' A pipe shows whole lines.' : ''
  return `${table}\n${wrap(`Without @TARGET, the first target applies.${contacted}${more}`, width)}\n`
}
