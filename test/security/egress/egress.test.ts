import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { startAnyCloud } from '../any-cloud.ts'
import { deployed } from './deployed.ts'
import { describeEgress } from './describe-egress.ts'
import { prepareFiles } from './prepare.ts'
import { startProbeProcess } from './probe-process.ts'
import { runMode, type EgressRow } from './run-mode.ts'
import { modes } from './subjects.ts'

// Everywhere: the process itself is watched, by what it asks of Node, and nothing it does leaves this machine.
describe('a watched process', () => {
  const directory = useTemporaryDirectory()
  const closing: (() => Promise<void>)[] = []
  afterAll(async () => {
    await Promise.all(closing.map((close) => close()))
  })

  const start = async (ca: Awaited<ReturnType<typeof prepareFiles>>['ca']) => {
    const cloud = await startAnyCloud({ ca })
    closing.push(() => cloud.close())
    const redirection = { EGRESS_SECURE_PORT: String(cloud.securePort), EGRESS_PLAIN_PORT: String(cloud.plainPort) }
    return { cloud, redirection }
  }

  let rows: readonly EgressRow[] = []
  beforeAll(async () => {
    const { ca, files } = await prepareFiles(directory.path)
    const waiting = [...modes]
    const worker = async (): Promise<EgressRow[]> => {
      const place = await start(ca)
      const done: EgressRow[] = []
      for (let mode = waiting.shift(); mode !== undefined; mode = waiting.shift()) {
        done.push(...(await runMode(mode, { ...place, deployed: deployed(), files })))
      }
      return done
    }
    rows = (await Promise.all([worker(), worker()])).flat()
  })

  describeEgress(() => rows)

  test('is detected when it contacts an unnamed host', async () => {
    const { ca } = await prepareFiles(`${directory.path}/control`)
    const { redirection } = await start(ca)
    const probe = startProbeProcess(deployed().program, {}, redirection)
    closing.push(() => probe.close())
    const { contacts } = await probe.run({ url: 'https://foreign.example.test/' })
    expect(contacts).toContainEqual({ kind: 'connection', host: 'foreign.example.test', port: 443 })
  })
})
