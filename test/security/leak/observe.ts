import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { renderPage } from '../../../src/page/page.ts'
import { createCredentialPlan } from '../../../src/lib/index.ts'
import { openCredential } from '../../../src/lib/auth/credential.ts'
import type { SignIn } from '../../../src/lib/diagnostics/report.ts'
import type { Env } from '../../../src/lib/base/env.ts'
import { scopeFor } from '../../../src/lib/profile/endpoints.ts'
import { createService } from '../../../src/lib/service/service.ts'

/** Something that the service showed to somebody. */
export interface Output {
  readonly where: 'report' | 'page' | 'health' | 'log' | 'error' | 'stdout' | 'stderr' | 'answer'
  readonly text: string
}

interface Observation {
  /** `acquired`, or the code of the failure. */
  readonly token: string
  readonly outputs: readonly Output[]
}

/** Decides as the person would whom a sign-in waits for. */
export type SignInHandler = (signIn: Pick<SignIn, 'userCode'>) => void

/** Runs the service's diagnostics once, from nothing, and keeps all that they show: while a sign-in is pending as well. */
export async function observeService(env: Env, onSignIn: SignInHandler): Promise<Observation> {
  const outputs: Output[] = []
  const show = (where: Output['where'], value: unknown) =>
    outputs.push({ where, text: typeof value === 'string' ? value : JSON.stringify(value) })
  const service = createService(env)
  const diagnostics = await service.diagnostics((event) => show('log', event))
  const look = async () => {
    const report = await diagnostics.report({ explain: true })
    show('report', report)
    const { html, headers } = renderPage({ report, profile: service.cloud })
    show('page', html)
    show('page', headers)
    show('health', await service.health())
    return report
  }
  let report = await look()
  if (report.token.signIn !== undefined) {
    onSignIn(report.token.signIn)
    while (report.token.status === 'pending') {
      await sleep(20)
      report = await diagnostics.report()
    }
    report = await look()
  }
  show('health', await service.runSmokeTest((event) => show('log', event)))
  return { token: report.token.error?.code ?? report.token.status, outputs }
}

/** Everything that hangs on an error, at any depth, enumerable or not. */
function* partsOf(value: unknown, seen = new Set<unknown>()): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  for (const key of Reflect.ownKeys(value)) {
    yield String(key)
    yield* partsOf(Reflect.get(value, key), seen)
  }
}

/** Makes one attempt as an application would that uses the library, and keeps the error in every way it may be printed. */
export async function observeCredential(env: Env, onSignIn: SignInHandler): Promise<Observation> {
  const { profile } = createService(env).cloud
  const timeoutMs = Number(env['PLATFORM_TOKEN_TIMEOUT_MS'])
  const plan = createCredentialPlan(profile, env)
  const credential = openCredential(plan, { timeoutMs, onPrompt: onSignIn })
  const printed: Output[] = [inspect(plan, { depth: 10 }), JSON.stringify(plan), JSON.stringify({ ...credential })].map(
    (text) => ({ where: 'error', text }),
  )
  try {
    await credential.getToken(scopeFor(profile.resourceManagerAudience))
    return { token: 'acquired', outputs: printed }
  } catch (error) {
    const known = error instanceof Error ? error : new Error('No error was thrown', { cause: error })
    const all = inspect(known, { depth: 20, showHidden: true })
    const texts = [...partsOf(known), String(known), JSON.stringify(known), all]
    const code = 'code' in known ? String(known.code) : known.name
    return { token: code, outputs: [...printed, ...texts.map((text): Output => ({ where: 'error', text }))] }
  }
}
