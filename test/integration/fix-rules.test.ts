import { describe, expect, test } from 'vitest'
import type { EnclaveAuthMode } from '../../src/enclave/enclave.ts'
import type { Env } from '../../src/lib/base/env.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { createService } from '../../src/lib/service/service.ts'
import { deadlineFor } from '../support/deadline-for.ts'
import { faultTitle, loginFaults, reportFaults } from '../support/fault-table.ts'
import { useEnclave } from '../support/use-enclave.ts'

const running = useEnclave()
const modes: readonly EnclaveAuthMode[] = ['clientSecret', 'clientCertificate', 'workloadIdentity']
const cases = [...loginFaults, ...reportFaults].flatMap((row) =>
  modes.map((mode) => ({ ...row, mode, name: faultTitle(row) })),
)

type Advised = Pick<DiagnosticsReport['checks'][number], 'id' | 'fix' | 'change' | 'message'>

/** Every fix of a report, with what it changes. */
const advice = ({ checks, rootCause }: DiagnosticsReport): readonly Advised[] => [
  ...checks.filter(({ status, fix }) => (status === 'fail' || status === 'warn') && fix !== undefined),
  ...(rootCause === undefined ? [] : [{ ...rootCause, id: 'rootCause' }]),
]

/** The fields that a report proves, as its own passed checks say. */
function provenIn({ checks }: DiagnosticsReport): readonly string[] {
  const passed = (id: string) => checks.some((check) => check.id === id && check.status === 'pass')
  const fields = ['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience']
  return passed('metadata.matches-profile') ? fields : []
}

const layers = ['dns', 'tcp', 'tls'] as const
/** Words of a fix that blame a layer of the network. */
const blame: Readonly<Record<(typeof layers)[number], RegExp>> = {
  dns: /\b(add the name|DNS server|private DNS zone)/i,
  tcp: /\b(allow traffic from|open the firewall|connect this host to the network)/i,
  tls: /\b(NODE_EXTRA_CA_CERTS|renew its certificate|path MTU)/i,
}

describe('The rules of every fix', () => {
  test.each(cases)('hold for $name with $mode', async ({ fault, target, code, mode }) => {
    await running.cloud.setFault(fault, target)
    const known: Env = running.cloud.environment(mode, running.files)
    const env = { ...known, PLATFORM_TOKEN_TIMEOUT_MS: String(deadlineFor(code, 1500)) }
    const report = await (await createService(env).diagnostics(() => undefined)).report()
    const given = advice(report)
    const proven = provenIn(report)
    expect(given.length).toBeGreaterThan(0)

    // No fix proposes to change a proven field.
    const changed = given.filter(
      ({ change }) => change !== undefined && 'field' in change && proven.includes(change.field),
    )
    const proposed = given.filter(({ fix = '' }) => proven.some((field) => fix.includes(`\`${field}\` in `)))
    // No fix proposes a host of another known cloud.
    const foreign = given.filter(({ change }) => /microsoftonline|chinacloudapi|azure\.com/.test(change?.value ?? ''))
    // A fix that blames a layer below one that passed is impossible.
    const passed = (id: string, layer: string) =>
      report.checks.some((check) => check.id === `${id.split('.')[0]}.${layer}` && check.status === 'pass')
    const wrongLayer = given.filter(({ id, fix = '' }) =>
      layers.some((layer, at) => blame[layer].test(fix) && layers.slice(at).every((above) => passed(id, above))),
    )
    // Two fixes of one report never contradict each other: none corrects what another one calls correct.
    const isCorrect = given.some(({ fix = '' }) => fix.includes('The profile is correct'))
    const corrects = given.filter(({ fix = '' }) =>
      /\b(?:Correct|set) (?:the \w+ (?:and \w+ )?of )?`authorityHost`/i.test(fix),
    )
    const contradictory = isCorrect ? corrects : []
    expect({ changed, proposed, foreign, wrongLayer, contradictory }).toEqual({
      changed: [],
      proposed: [],
      foreign: [],
      wrongLayer: [],
      contradictory: [],
    })
  })
})
