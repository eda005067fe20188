import { createHash } from 'node:crypto'
import type { Env } from '../base/env.ts'
import { showValue } from '../base/printable.ts'
import { Secret } from '../base/secret.ts'
import { loadOnce } from '../base/waiting.ts'
import { argumentError } from '../errors.ts'
import { withFixes } from '../fixes.ts'
import type { ResolvedCloud } from '../profile/identity-provider.ts'
import { buildCredential, type CredentialOptions, planForCaller } from './create-credential.ts'
import type { CredentialSettings } from './credential-plan.ts'
import { readOptions, readPlanValues } from './credential-settings.ts'
import type { ApplicationSettings } from './modes/application.ts'
import type { TokenCredential } from './token-credential.ts'

/** For how many combinations of a user's token and settings a credential is cached. */
const mostCredentials = 500

interface UserCredentialOptions extends CredentialOptions {
  readonly cloud: ResolvedCloud
  /** How the application proves its identity. Default is the environment. */
  readonly settings: CredentialSettings | undefined
  readonly env: Env
}

/** The credentials for the users of an application (OAuth 2.0 on-behalf-of), by the token of the user and the settings of the call. */
export function userCredentials({ cloud, settings: defaults, env, ...options }: UserCredentialOptions) {
  const cached = new Map<string, TokenCredential>()
  /** A callback can't be part of a key, so each gets a number. */
  const callbacks = new WeakMap<object, number>()
  let callbackCount = 0

  /** A hash, so that the cache contains no token and no secret. */
  const keyOf = (userAssertion: string, settings: ApplicationSettings | undefined): string => {
    const partOf = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(partOf)
      if (typeof value !== 'function') return typeof value === 'string' ? value : showValue(value)
      if (!callbacks.has(value)) callbacks.set(value, ++callbackCount)
      return callbacks.get(value)
    }
    const given = Object.entries(settings ?? {}).map(([name, value]) => [name, partOf(value)])
    return createHash('sha256')
      .update(
        JSON.stringify([
          userAssertion,
          given.sort(([one = ''], [other = '']) => (String(one) < String(other) ? -1 : 1)),
        ]),
      )
      .digest('base64')
  }

  const open = (userAssertion: string, settings: ApplicationSettings | undefined): TokenCredential => {
    const values = settings === undefined ? readPlanValues(defaults ?? env, env) : readOptions(settings, env)
    const user = { authMode: 'onBehalfOf', userAssertion: new Secret(userAssertion) } as const
    const plan = planForCaller(cloud, { ...values, ...user })
    const credential = loadOnce(() => buildCredential(plan, options, env))
    return { getToken: async (scopes, request) => (await credential()).getToken(scopes, request) }
  }

  return (userAssertion: string, settings?: ApplicationSettings): TokenCredential =>
    withFixes(() => {
      if (typeof userAssertion !== 'string' || !/^[\w-]+(\.[\w-]*){2,4}$/.test(userAssertion)) {
        // The message doesn't show the value, which may be a token.
        const message = 'userAssertion must be the access token of a user (a JWT)'
        throw argumentError({
          message,
          fix: 'Pass the token in the Authorization header of the request, without Bearer.',
        })
      }
      const key = keyOf(userAssertion, settings)
      const credential = cached.get(key) ?? open(userAssertion, settings)
      // A Map keeps the order of insertion, so its first key is the least recently used.
      cached.delete(key)
      cached.set(key, credential)
      const [oldest] = cached.keys()
      if (cached.size > mostCredentials && oldest !== undefined) cached.delete(oldest)
      return credential
    })
}
