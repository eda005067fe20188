import type { DeviceCodeInfo, TokenCredentialOptions } from '@azure/identity'
import { isServiceError, ServiceError } from '../errors.ts'
import type { Env } from '../base/env.ts'
import { isPlaceholder } from '../profile/placeholders.ts'
import { currentAttempt, type Attempt } from '../transport/attempt.ts'
import { createGuardedClient } from '../transport/guarded-client.ts'
import type { SharedDocuments } from '../transport/shared-documents.ts'
import * as library from './credential-library.ts'
import type { CredentialPlan, DefaultPlan } from './credential-plan.ts'
import { ownLibraryLog } from './library-log.ts'
import { modes, type SinglePlan } from './modes.ts'
import type { CredentialBackend, Mode, ModeTools } from './modes/mode.ts'
import { checkRequestedTenant } from './requested-tenant.ts'
import { requireUsable } from './require-usable.ts'
import type { AccessToken, GetTokenOptions } from './token-credential.ts'
import { toTokenError } from './token-error.ts'

/** The credential backend of a plan, or those of the default chain. */
export interface PlanBackend {
  /**
   * Gets one token within an attempt, by whose deadline it ends.
   *
   * @throws {ServiceError} `PLACEHOLDER_PROFILE`, or why there is no token.
   */
  acquire(scope: string, attempt: Attempt, options?: Omit<GetTokenOptions, 'abortSignal'>): Promise<AccessToken>
}

export interface BackendOptions {
  /** Shares OpenID configurations with the probes that run at the same time. */
  readonly documents?: SharedDocuments | undefined
  /** The variables of the process, where the plan may come from others. */
  readonly processEnv?: Env | undefined
}

export function createPlanBackend(plan: CredentialPlan, options: BackendOptions = {}): PlanBackend {
  ownLibraryLog()
  return plan.mode === 'default' ? chain(plan, options) : single(plan, options)
}

function single(plan: SinglePlan, { documents, processEnv }: BackendOptions): PlanBackend {
  const httpClient = createGuardedClient({ egress: plan.egress, proxies: plan.proxies.reveal(), documents })
  const tools: ModeTools = {
    library,
    httpClient,
    options: () => optionsWith(httpClient),
    onDeviceCode: promptPerson,
    processEnv,
  }
  // The compiler cannot relate a mode's plan to its name.
  const mode = modes[plan.mode] as Mode<SinglePlan>
  const explain = async (failure: ServiceError): Promise<ServiceError> => {
    try {
      return (await mode.explain?.(failure, plan)) ?? failure
    } catch {
      // An explanation that fails must not hide the failure.
      return failure
    }
  }
  let backend: Promise<CredentialBackend> | undefined
  return {
    async acquire(scope, attempt, options) {
      refusePlaceholders(plan, scope)
      const request = { ...requestOf(plan, options), abortSignal: attempt.signal }
      // The failure of an earlier member of the default chain does not explain this one's.
      attempt.failure = undefined
      backend ??= Promise.resolve().then(() => mode.build(plan, tools))
      try {
        return requireUsable(await (await backend).getToken(scope, request))
      } catch (error) {
        // The library refuses to try again for 60 s after a failure, so the next attempt gets a new credential.
        backend = undefined
        const failure = toTokenError(error, attempt, mode.failure)
        throw await explain(failure)
      }
    },
  }
}

/** The credential of an authority has one tenant, and the tool of a developer may have several. */
function requestOf(plan: SinglePlan, options: Omit<GetTokenOptions, 'abortSignal'> = {}): typeof options {
  if (!('authority' in plan)) return options
  const { tenantId, ...others } = options
  checkRequestedTenant(tenantId, plan.authority.tenantId)
  return others
}

/**
 * The options of every credential of the library. The guarded client retries, and a second layer would multiply the attempts. The guarded
 * client also chooses the proxy. A proxy in the options keeps the library from reading the environment, whose value may hold a password,
 * which the library would log.
 */
function optionsWith(httpClient: ModeTools['httpClient']): TokenCredentialOptions {
  return { httpClient, retryOptions: { maxRetries: 0 }, proxyOptions: { host: 'http://proxy.invalid', port: 1 } }
}

/** `DeviceCodeInfo` lacks `expiresIn`, which every response has: the transport refuses one without it. */
function promptPerson(info: DeviceCodeInfo & { readonly expiresIn?: number }): void {
  const { userCode, verificationUri, expiresIn = 0 } = info
  currentAttempt.getStore()?.prompt({ userCode, verificationUri, expiresOnTimestamp: Date.now() + expiresIn * 1000 })
}

/** No host under `.invalid` can be reached, so the attempt fails at once, offline, and names the fields to replace. */
export function refusePlaceholders(plan: CredentialPlan, scope: string): void {
  const authorityHost = 'authority' in plan ? plan.authority.authorityHost : ''
  if (!isPlaceholder(authorityHost) && !isPlaceholder(scope)) return
  // Where only the audience is open, the cloud may publish it.
  const hint = isPlaceholder(authorityHost)
    ? ''
    : ', or set PLATFORM_DISCOVER_AUDIENCE=true to take the audience from the metadata of the cloud'
  throw new ServiceError(
    'PLACEHOLDER_PROFILE',
    `This profile contains placeholders; replace ${plan.placeholders.join(', ')}${hint}`,
  )
}

/** Codes that say that a member of the default chain is not available, so that the next one is tried. */
const unavailable = /^(CREDENTIAL_|IDENTITY_ENDPOINT_|MANAGED_IDENTITY_(UNAVAILABLE|ENDPOINT_FIXED)|CLI_NOT_)/

function chain(plan: DefaultPlan, options: BackendOptions): PlanBackend {
  const members = plan.chain.map((member) => ({ mode: member.mode, backend: single(member, options) }))
  return {
    async acquire(scope, attempt, request) {
      const tried: string[] = []
      for (const { mode, backend } of members) {
        try {
          return await backend.acquire(scope, attempt, request)
        } catch (error) {
          // Past the deadline, the member that used up the time is the cause.
          if (attempt.signal.aborted || !isServiceError(error) || !unavailable.test(error.code)) throw error
          tried.push(`${mode}: ${error.code}`)
        }
      }
      throw new ServiceError('CHAIN_EXHAUSTED', `No credential of the default chain is available (${tried.join(', ')})`)
    },
  }
}
