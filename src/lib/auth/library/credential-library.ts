// This folder works around faults of the credential library (@azure/identity 4.14, msal-node 7.2). Each comment names the fault,
// so that a new release can be tried by deleting lines.

import type { HttpClient } from '@azure/core-rest-pipeline'
import type { DeviceCodeInfo, TokenCredentialOptions } from '@azure/identity'
import type { Attempt } from '../../transport/attempt.ts'
import { AzureLogger, setLogLevel } from '@azure/logger'
import { quote } from '../../base/printable.ts'

/** The parts of the credential library and its dependencies that this service uses. They are named, so that a bundler omits the rest. */
export { createEmptyPipeline, createHttpHeaders, createPipelineRequest, logPolicy } from '@azure/core-rest-pipeline'
export {
  ClientAssertionCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  OnBehalfOfCredential,
  UsernamePasswordCredential,
} from '@azure/identity'
export { createClientLogger } from '@azure/logger'
export { ManagedIdentityApplication } from '@azure/msal-node'

/**
 * The options of a credential. Fault: the library retries for minutes; the guarded client retries, and a second layer would multiply the
 * attempts. Fault: it takes a proxy from the environment, also for the identity endpoint, and logs its password; a proxy in the options keeps
 * it from that, and the guarded client chooses the real one. Fault: some credentials change the object, so each gets a new one.
 */
export function credentialOptions(httpClient: HttpClient): TokenCredentialOptions {
  return { httpClient, retryOptions: { maxRetries: 0 }, proxyOptions: { host: 'http://proxy.invalid', port: 1 } }
}

/** Fault: `DeviceCodeInfo` doesn't declare `expiresIn`. Every response has it, because the transport refuses a response without it. */
export function promptPerson(info: DeviceCodeInfo & { readonly expiresIn?: number }, attempt: Attempt): void {
  const { userCode, verificationUri, expiresIn = 0 } = info
  attempt.prompt({ userCode, verificationUri, expiresOnTimestamp: Date.now() + expiresIn * 1000 })
}

const longestLine = 4096

/**
 * Requests and response headers that the library's HTTP pipeline prints. Fault: it redacts some values, but not the password of a proxy,
 * and not the headers of a response, such as cookies.
 */
const dump = /^(azure:core-rest-pipeline:\w+ )(Request|Headers): (\{.*)$/s

/** The secrets of the attempts under way, which must not appear in a line; a secret in a file can change. Bound: the end of an attempt removes it. */
const secretsInUse = new Set<() => readonly string[]>()
/** Receives the lines: the service's log if it is set, or else the function that the application set. */
let surfacedTo: ((line: string) => void) | undefined
let passOn: typeof AzureLogger.log = AzureLogger.log

/**
 * Guards the log of the credential library while an attempt is under way: AZURE_LOG_LEVEL and DEBUG would make it write its raw log to
 * stderr. Without an attempt, lines pass unchanged, because an application may share this logger with other SDKs.
 *
 * @returns Ends the guard.
 */
export function guardLibraryLog(secrets: () => readonly string[]): () => void {
  secretsInUse.add(secrets)
  if (AzureLogger.log !== guarded) {
    passOn = AzureLogger.log
    AzureLogger.log = guarded
  }
  return () => secretsInUse.delete(secrets)
}

/**
 * Writes the log of the credential library (PLATFORM_LOG_LEVEL=verbose), URLs included: one bounded line a call. Must be called before a
 * credential is built, because the library reads the level then.
 */
export function surfaceLibraryLog(write: (line: string) => void): void {
  surfacedTo = write
  setLogLevel('verbose')
}

function guarded(...parts: unknown[]): void {
  if (secretsInUse.size === 0 && surfacedTo === undefined) {
    passOn(...parts)
    return
  }
  const line = harmlessLine(parts.map(String).join(' '))
  if (line !== undefined) (surfacedTo ?? passOn)(line)
}

/** A request is shown by method, URL and id, a response by its status. Known secrets are redacted. */
function harmlessLine(logged: string): string | undefined {
  const [, origin = '', kind, content = ''] = dump.exec(logged) ?? []
  if (kind === 'Headers') return undefined
  let line = kind === 'Request' ? `${origin}Request: ${describeRequest(content)}` : logged
  for (const secrets of secretsInUse) {
    for (const secret of secrets()) if (secret.length >= 4) line = line.replaceAll(secret, '[redacted]')
  }
  const shown = line.slice(0, longestLine)
  const harmless = shown.replace(/[\w.-]+/g, (word) => (looksLikeToken(word) ? '[redacted]' : word))
  // A newline in a response would forge a line.
  return quote(harmless).slice(1, -1).replaceAll('\\"', '"')
}

/** Whether a word has three long parts between dots, like a JWT. */
function looksLikeToken(word: string): boolean {
  const parts = word.split('.')
  return parts.some((_, at) => at + 2 < parts.length && parts.slice(at, at + 3).every(({ length }) => length >= 10))
}

/** The library has redacted the query of the URL. The operator of the host finds the id in its log. */
function describeRequest(content: string): string {
  try {
    const { method, url, requestId } = JSON.parse(content) as Record<string, unknown>
    return `${String(method)} ${String(url)} (${String(requestId)})`
  } catch {
    return '[not shown]'
  }
}
