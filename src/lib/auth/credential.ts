import type { AccessToken, GetTokenOptions, TokenCredential } from '@azure/core-auth'
import type { DeviceCodeInfo } from '@azure/identity'
import { isServiceError, ServiceError } from '../errors.ts'
import { isPlaceholder } from '../profile/placeholders.ts'
import { currentAttempt, type Attempt, type TraceStep } from '../transport/attempt.ts'
import type { DocumentShare } from '../transport/document-share.ts'
import { createGuardedClient } from '../transport/guarded-client.ts'
import { buildCredential, type LibraryPlan } from './build-credential.ts'
import { getCliToken } from './cli-credential.ts'
import type { CredentialPlan, DefaultPlan, PlatformCliPlan } from './credential-plan.ts'
import { Deadline } from './deadline.ts'
import { describeTokenError } from './describe-token-error.ts'
import { withoutVariables } from './hidden-variables.ts'

export interface CredentialOptions {
  /** Milliseconds before an attempt is abandoned; a device-code attempt, before a person is asked. Default is 10000. */
  readonly timeoutMs?: number
  /** Called when a person has to sign in (deviceCode). */
  readonly onPrompt?: (info: SignInPrompt) => void
  /** Shares login documents with the probes that run side by side. */
  readonly documents?: DocumentShare
  /** Receives what each attempt did, failed or not. */
  readonly onTrace?: (steps: readonly TraceStep[]) => void
}

/** What a person needs to sign in, without the device code itself. */
export interface SignInPrompt {
  readonly userCode: string
  readonly verificationUri: string
  /** Milliseconds since the epoch. */
  readonly expiresOnTimestamp: number
}

/** Variables that would change where the library goes, whatever it was told. */
const alwaysHidden = ['AZURE_REGIONAL_AUTHORITY_NAME', 'AZURE_AUTHORITY_HOST', 'AZURE_TOKEN_CREDENTIALS'] as const

/** With this one set, the library's managed identity becomes a workload identity and forgets the authority. */
const hiddenFromManagedIdentity = [...alwaysHidden, 'AZURE_FEDERATED_TOKEN_FILE'] as const

/**
 * Builds the credential of a plan. Its `getToken` keeps what the library's own does not: it ends by its deadline or by
 * the caller's `abortSignal`, contacts only the hosts of the plan, makes one attempt for all who ask at the same time, and
 * fails with a {@link ServiceError} whose code says why.
 *
 * @throws {ServiceError} from `getToken`: `PLACEHOLDER_PROFILE`, `CREDENTIAL_FILE_UNREADABLE`, `EGRESS_BLOCKED`,
 * `TOKEN_TIMEOUT` or another code of the findings catalogue.
 */
export function createCredential(plan: CredentialPlan, options: CredentialOptions = {}): TokenCredential {
  if (plan.mode === 'default') return createChain(plan, options)
  const acquire = plan.mode === 'platformCli' ? cliAcquirer(plan) : libraryAcquirer(plan, options)
  const inFlight = new Map<string, Promise<AccessToken>>()
  return {
    async getToken(scopes, getOptions) {
      const scope = typeof scopes === 'string' ? scopes : (scopes[0] ?? '')
      refusePlaceholders(plan, scope)
      const start = () =>
        runAttempt(plan, options, getOptions?.abortSignal, (deadline) => acquire(scope, getOptions, deadline))
      // Who brings a signal, a tenant or claims gets an attempt of their own; all others share one.
      if (getOptions?.abortSignal ?? getOptions?.tenantId ?? getOptions?.claims) return start()
      const shared = inFlight.get(scope) ?? start().finally(() => inFlight.delete(scope))
      inFlight.set(scope, shared)
      return shared
    },
  }
}

type Acquire = (scope: string, options: GetTokenOptions | undefined, deadline: Deadline) => Promise<AccessToken | null>

function cliAcquirer({ tenantId, environment }: PlatformCliPlan): Acquire {
  return (scope, _options, { signal }) => getCliToken({ scope, tenantId, environment: environment.reveal(), signal })
}

function libraryAcquirer(plan: LibraryPlan, { onPrompt, documents }: CredentialOptions): Acquire {
  const httpClient = createGuardedClient({ egress: plan.egress, documents })
  let deadline: Deadline | undefined
  // The type leaves out the lifetime that every answer has; the transport refuses an answer without one.
  const prompt = (info: DeviceCodeInfo & { readonly expiresIn?: number }) => {
    const expiresOnTimestamp = Date.now() + (info.expiresIn ?? 0) * 1000
    deadline?.extendTo(expiresOnTimestamp)
    onPrompt?.({ userCode: info.userCode, verificationUri: info.verificationUri, expiresOnTimestamp })
  }
  let credential: Promise<TokenCredential> | undefined
  return async (scope, options, current) => {
    deadline = current
    credential ??= buildCredential(plan, httpClient, prompt)
    try {
      return await (await credential).getToken(scope, { ...options, abortSignal: current.signal })
    } catch (error) {
      // After a failure the library refuses to try again for a minute; a new credential may.
      credential = undefined
      throw error
    }
  }
}

async function runAttempt(
  plan: CredentialPlan,
  { timeoutMs = 10_000, onTrace }: CredentialOptions,
  callerSignal: GetTokenOptions['abortSignal'],
  acquire: (deadline: Deadline) => Promise<AccessToken | null>,
): Promise<AccessToken> {
  const deadline = new Deadline(timeoutMs, callerSignal)
  const attempt: Attempt = { signal: deadline.signal, steps: [] }
  const hidden = plan.mode === 'managedIdentity' ? hiddenFromManagedIdentity : alwaysHidden
  try {
    const token = await currentAttempt.run(attempt, () =>
      withoutVariables(hidden, () => deadline.limit(acquire(deadline))),
    )
    if (token !== null && token.token !== '') return token
    throw new ServiceError('TOKEN_RESPONSE_INVALID', 'The credential library returned no token')
  } catch (error) {
    throw describeTokenError(error, { plan, attempt, cancelled: deadline.cancelled, timeoutMs })
  } finally {
    deadline.clear()
    onTrace?.(attempt.steps)
  }
}

/** Nothing under `.invalid` can be reached, so the attempt fails at once and offline, saying what to replace. */
function refusePlaceholders(plan: CredentialPlan, scope: string): void {
  const authorityHost = 'authority' in plan ? plan.authority.authorityHost : ''
  if (!isPlaceholder(authorityHost) && !isPlaceholder(scope)) return
  throw new ServiceError(
    'PLACEHOLDER_PROFILE',
    `This profile holds placeholders; replace ${plan.placeholders.join(', ')}`,
  )
}

/** Codes that say a member of the default chain is not available here, so that the next one may try. */
const unavailable = /^(CREDENTIAL_|IDENTITY_ENDPOINT_|MANAGED_IDENTITY_UNAVAILABLE|CLI_NOT_)/

function createChain(plan: DefaultPlan, options: CredentialOptions): TokenCredential {
  const members = plan.chain.map((member) => ({ mode: member.mode, credential: createCredential(member, options) }))
  return {
    async getToken(scopes, getOptions) {
      const tried: string[] = []
      for (const { mode, credential } of members) {
        try {
          return await credential.getToken(scopes, getOptions)
        } catch (error) {
          if (!isServiceError(error) || !unavailable.test(error.code)) throw error
          tried.push(`${mode}: ${error.code}`)
        }
      }
      throw new ServiceError(
        'CHAIN_EXHAUSTED',
        `No credential of the default chain is available here (${tried.join(', ')})`,
      )
    },
  }
}
