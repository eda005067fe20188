import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createService } from '../../../../src/lib/service.ts'
import type { ProbeOrder, ProbeResult } from '../probe-process.ts'

// Does all that the service does with a cloud, for each profile that the parent process names: the diagnostics, the
// page, and the smoke test with a token. The variables of the mode are those of this process.
async function probe(variables: NodeJS.ProcessEnv): Promise<ProbeResult> {
  const service = createService({ ...process.env, ...variables, SMOKE_TEST_CHECK_TOKEN: 'true' })
  const log = () => {}
  const diagnostics = await service.diagnostics(log)
  let report = await diagnostics.report({ explain: true })
  while (report.token.status === 'pending') {
    await sleep(20)
    report = await diagnostics.report()
  }
  await diagnostics.page()
  await service.runSmokeTest(log)
  return { token: report.token.error?.code ?? report.token.status }
}

/** What a mistake in the service would look like; proves that it would be seen. */
async function contact(url: string): Promise<ProbeResult> {
  return fetch(url).then(
    ({ status }) => ({ token: String(status) }),
    (error: unknown) => ({ token: String(error) }),
  )
}

for (;;) {
  const [order] = (await once(process, 'message')) as [ProbeOrder]
  const result = 'url' in order ? await contact(order.url) : await probe(order.variables)
  process.send?.({ result })
}
