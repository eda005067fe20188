import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { renderPage } from '../../../../src/page/page.ts'
import { createDiagnostics } from '../../../../src/lib/diagnostics/diagnostics.ts'
import { createService } from '../../../../src/lib/service/service.ts'
import { activeTarget, runSmokeTest } from '../../../../src/lib/service/run-smoke-test.ts'
import { resolveProvider } from '../../../../src/lib/profile/identity-provider.ts'
import { namedTenant } from '../../../../src/lib/settings/credential-values.ts'

// Does all that the service does with a cloud, for each profile that the parent process names. This process has the variables of the mode.

async function probe(variables: NodeJS.ProcessEnv): Promise<string> {
  const env = { ...process.env, ...variables }
  const { cloud: explained, settings, ...service } = createService(env)
  const cloud = resolveProvider(explained, namedTenant(settings))
  const warnings = await service.warnings()
  const quiet = { log: () => {}, lastSmokeTest: () => undefined }
  const diagnostics = createDiagnostics({ cloud, warnings, settings, env, ...quiet })
  let report = await diagnostics.report({ explain: true })
  while (report.token.status === 'pending') {
    await sleep(20)
    report = await diagnostics.report()
  }
  renderPage({ report, profile: cloud })
  const checkToken = async () => diagnostics.report()
  await runSmokeTest({ targets: [{ ...activeTarget(env), checkToken }] })
  return report.token.error?.code ?? report.token.status
}

for (;;) {
  const [variables] = (await once(process, 'message')) as [NodeJS.ProcessEnv]
  process.send?.({ token: await probe(variables) })
}
