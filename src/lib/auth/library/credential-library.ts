// Works around faults of the credential library (@azure/identity 4.14, msal-node 7.2), as the modes do. Each comment names the fault, so that a
// new release can be tried by deleting lines.

import { AsyncLocalStorage } from 'node:async_hooks'
import {
  createEmptyPipeline,
  createHttpHeaders,
  createPipelineRequest,
  type HttpClient,
  type HttpMethods,
  logPolicy,
} from '@azure/core-rest-pipeline'
import type { TokenCredentialOptions } from '@azure/identity'
import { AzureLogger, createClientLogger, getLogLevel, setLogLevel } from '@azure/logger'
import type { AuthenticationResult, INetworkModule, NetworkRequestOptions } from '@azure/msal-node'
import { isObject, parseJson } from '../../base/json.ts'
import { quote } from '../../base/printable.ts'
import { ServiceError } from '../../errors.ts'

/** The parts of the credential library and its dependencies that the modes use. They are named, so that a bundler omits the rest. */
export {
  ClientAssertionCredential,
  ClientSecretCredential,
  OnBehalfOfCredential,
  UsernamePasswordCredential,
} from '@azure/identity'
export { ManagedIdentityApplication, PublicClientApplication } from '@azure/msal-node'

/**
 * The options of a credential. Fault: the library retries for minutes; the guarded client retries, and a second layer would multiply the
 * attempts. Fault: it takes a proxy from the environment, also for the identity endpoint, and logs its password; a proxy in the options keeps
 * it from that, and the guarded client chooses the real one. Fault: some credentials change the object, so each gets a new one.
 */
export const credentialOptions = (): TokenCredentialOptions => ({
  httpClient: clientOfAttempt,
  retryOptions: { maxRetries: 0 },
  proxyOptions: { host: 'http://proxy.invalid', port: 1 },
})

/** What belongs to one attempt. The library has one log and keeps its network clients, so both find their attempt here. */
export interface AttemptContext {
  readonly httpClient: HttpClient
  /** The secrets of the plan, which must not appear in a line. A secret in a file can change. */
  readonly secrets: () => readonly string[]
  /** Receives the lines of the library. Without it, a line goes where the library itself would write it. */
  readonly log?: ((line: string) => void) | undefined
}

const inForce = new AsyncLocalStorage<AttemptContext>()

/** Sends a request with the client of the attempt that makes it. */
const clientOfAttempt: HttpClient = {
  async sendRequest(request) {
    const { httpClient } = inForce.getStore() ?? {}
    if (httpClient === undefined) throw new ServiceError('UNEXPECTED', 'The request belongs to no attempt')
    return httpClient.sendRequest(request)
  },
}

/** The log and the network of a client of msal-node. They belong to the attempt that uses the client. */
export function msalSystem() {
  // The name that the identity library logs under. Lines with personal data are left out.
  const logger = createClientLogger('identity:msal')
  const loggerCallback = (_level: unknown, message: string, isPersonal: boolean) =>
    isPersonal ? undefined : logger.info(message)
  const pipeline = createEmptyPipeline()
  pipeline.addPolicy(logPolicy())
  const send = async (method: HttpMethods, url: string, { headers, body: sent }: NetworkRequestOptions = {}) => {
    const request = createPipelineRequest({
      url,
      method,
      headers: createHttpHeaders(headers),
      allowInsecureConnection: true,
      ...(sent === undefined ? {} : { body: sent }),
    })
    const { status, headers: received, bodyAsText } = await pipeline.sendRequest(clientOfAttempt, request)
    // The transport has checked the body.
    return { status, headers: received.toJSON(), body: JSON.parse(bodyAsText ?? '') as never }
  }
  const networkClient: INetworkModule = {
    sendGetRequestAsync: (url, options) => send('GET', url, options),
    sendPostRequestAsync: (url, options) => send('POST', url, options),
  }
  return { networkClient, loggerOptions: { loggerCallback } }
}

/** The token in a result of msal-node. */
export function tokenOf({ accessToken: token, expiresOn, refreshOn }: AuthenticationResult) {
  const refresh = refreshOn === undefined ? {} : { refreshAfterTimestamp: refreshOn.getTime() }
  return { token, expiresOnTimestamp: expiresOn?.getTime() ?? Number.NaN, ...refresh }
}

const longestLine = 4096

/** What the library's HTTP pipeline prints. Fault: it redacts some values, but not the password of a proxy, and not a header such as a cookie. */
const dump = /^(azure:core-rest-pipeline:\w+ )(Request|Headers): (\{.*)$/s

let passOn: typeof AzureLogger.log = AzureLogger.log
/** Whether only {@link runAttempt} has turned the log on, for all attempts of the process. */
let isTurnedOn = false

/**
 * Runs an attempt with a guarded log: AZURE_LOG_LEVEL and DEBUG would make the library write its raw log to stderr. An attempt with a `log`
 * (PLATFORM_LOG_LEVEL=verbose) gets its own lines, URLs included, and no other attempt's: one bounded line a call. Other lines pass unchanged,
 * because an application may share this logger with other SDKs.
 */
export function runAttempt<T>(context: AttemptContext, work: () => Promise<T>): Promise<T> {
  if (AzureLogger.log !== guarded) {
    passOn = AzureLogger.log
    AzureLogger.log = guarded
  }
  // Before a credential is built, because the library reads the level then.
  if (context.log !== undefined && getLogLevel() !== 'verbose') {
    isTurnedOn ||= getLogLevel() === undefined
    setLogLevel('verbose')
  }
  return inForce.run(context, work)
}

function guarded(...parts: unknown[]): void {
  const pass = isTurnedOn ? undefined : passOn
  const context = inForce.getStore()
  if (context === undefined) return pass?.(...parts)
  const write = context.log ?? pass
  const line = write && harmlessLine(parts.map(String).join(' '), context.secrets())
  if (line !== undefined) write?.(line)
}

/** A request is shown by method, URL and id, a response by its status. Known secrets are redacted. */
function harmlessLine(logged: string, secrets: readonly string[]): string | undefined {
  const [, origin = '', kind, content = ''] = dump.exec(logged) ?? []
  if (kind === 'Headers') return undefined
  let line = kind === 'Request' ? `${origin}Request: ${describeRequest(content)}` : logged
  for (const secret of secrets) if (secret.length >= 4) line = line.replaceAll(secret, '[redacted]')
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
  const request = parseJson(content)
  if (!isObject(request)) return '[not shown]'
  return `${String(request['method'])} ${String(request['url'])} (${String(request['requestId'])})`
}
