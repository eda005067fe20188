import { readFileSync, statSync } from 'node:fs'
import { injectedVariables } from '../auth/injected-variables.ts'
import { readVariable, type Env } from '../base/env.ts'
import { refuseReferences } from '../profile/unresolved-reference.ts'
import { readProxies } from '../transport/proxy-for.ts'
import { isLiteral, readSetting, type Setting } from './setting.ts'
import { otherRows, settingRows } from './setting-table.ts'

/** Bytes of a file with a reference. */
const longestReference = 4096

/** Values of the cluster, by the variable of ours that wins over them. */
const fallbacks = {
  PLATFORM_TENANT_ID: injectedVariables.workloadTenantId,
  PLATFORM_CLIENT_ID: injectedVariables.workloadClientId,
  PLATFORM_FEDERATED_TOKEN_FILE: injectedVariables.workloadTokenFile,
} as const

/**
 * Refuses references in the variables of others that decide where a credential goes: proxies, and what a cluster injects, in modes that
 * read it.
 *
 * @throws {ServiceError} `REFERENCE_UNRESOLVED`
 */
export function refuseForeignReferences(env: Env): void {
  const mode = readVariable(env, 'AUTH_MODE') ?? 'workloadIdentity'
  const isRead = (name: string) =>
    ['workloadIdentity', 'default'].includes(mode) && readVariable(env, name) === undefined
  const injected = Object.entries(fallbacks).flatMap(([own, name]) => (isRead(own) ? [[name, env[name]]] : []))
  refuseReferences({ ...readProxies(env), ...(Object.fromEntries(injected) as Env) })
}

/**
 * Checks of the values that the service reads besides its table: the selection and the overrides of the profile, certificate authorities,
 * and references in secret files. A secret file that cannot be read fails later, by its own name.
 */
export const serviceChecks: readonly ((env: Env) => unknown)[] = [
  ...otherRows.map((row: Setting<unknown>) => (env: Env) => readSetting(env, row)),
  ({ NODE_EXTRA_CA_CERTS }) => refuseReferences({ NODE_EXTRA_CA_CERTS }),
  (env) => {
    for (const { name, secret } of settingRows) {
      const path = secret && !isLiteral(env, name) ? readVariable(env, `${name}_PATH`) : undefined
      if (path !== undefined) refuseReferences({ [`The value in the file of ${name}_PATH`]: readShortFile(path) })
    }
  },
]

function readShortFile(path: string): string | undefined {
  try {
    const found = statSync(path)
    return found.isFile() && found.size <= longestReference ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}
