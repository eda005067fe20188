import { setTimeout as sleep } from 'node:timers/promises'
import type { DiagnosticsReport } from '../../../src/lib/diagnostics/report.ts'
import type { Output, SignInHandler } from './observe.ts'

/** Secrets of a caller: they come with each request, and must not come out again. */
export const callerSecrets = {
  'function key': 'planted-function-key-Bn74Xw20',
  cookie: 'planted-session-cookie-Jd61Mv88',
  'caller token': 'planted-caller-token-Ys35Gt47',
} as const

/** Asks a running service everything that can be asked, as callers and monitors do, until its token attempt has ended. */
export async function callService(
  origin: string,
  onSignIn: SignInHandler,
): Promise<{ readonly token: string; readonly outputs: readonly Output[] }> {
  const outputs: Output[] = []
  const headers = {
    'x-functions-key': callerSecrets['function key'],
    cookie: `session=${callerSecrets.cookie}`,
    authorization: `Bearer ${callerSecrets['caller token']}`,
  }
  const key = `code=${callerSecrets['function key']}`
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(path, origin), { redirect: 'manual', headers, ...init })
    const text = await response.text()
    outputs.push({
      where: 'answer',
      text: `${path.replace(key, '')} ${JSON.stringify([...response.headers])}\n${text}`,
    })
    return text
  }
  const report = async () => JSON.parse(await ask(`/api/diagnostics?explain=true&${key}`)) as DiagnosticsReport

  let found = await report()
  if (found.token.signIn !== undefined) {
    await ask('/')
    onSignIn(found.token.signIn)
    for (; found.token.status === 'pending'; found = await report()) await sleep(50)
  }
  for (const path of [`/?${key}`, '/api/profile', '/api/health', `/api/nothing?${key}`]) await ask(path)
  await ask('/', { method: 'HEAD' })
  await ask(`/api/diagnostics?${key}`, { method: 'POST', body: callerSecrets['caller token'] })
  // The timer asks for the token too (SMOKE_TEST_CHECK_TOKEN); its run has ended when it is in the report.
  const run = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{"input":""}' }
  await ask('/admin/functions/smokeTest', run)
  for (; found.smokeTest === null; found = await report()) await sleep(20)
  return { token: found.token.error?.code ?? found.token.status, outputs }
}
