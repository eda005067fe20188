import {
  startEnclave,
  writeEnclaveFiles,
  type Enclave,
  type EnclaveAuthMode,
  type EnclaveOptions,
} from 'cloud-profile-enclave/enclave'
import { enclaveAuthModes } from 'cloud-profile-enclave/choices'
import { readVariable, type Env } from '../../lib/base/env.ts'
import { isGuid } from '../../lib/base/names.ts'
import { ServiceError } from '../../lib/errors.ts'
import { counterpartOf } from '../../lib/clouds/counterpart.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'

/** The cloud of a run. With an enclave, which simulates it on loopback, the profile has the enclave's tenant. */
export interface CloudOfRun {
  readonly enclave?: Enclave
  readonly profile: CloudProfile
  /** With an enclave, its credential replaces the operator's. */
  readonly env: Env
  /** The variables of the enclave's credential, for the program. */
  readonly credentials: Readonly<Record<string, string>>
}

/** The variables of credentials, replaced because the enclave knows only its own client. */
const credential = /^PLATFORM_(?:TENANT_ID|CLIENT_|FEDERATED_TOKEN_FILE|USERNAME|PASSWORD|SUBSCRIPTION_ID)/
/** The other variables of the enclave's credential. */
const ofMode = /^(?:AUTH_MODE|IDENTITY_|AZURE_CONFIG_DIR)/

/** Secrets of the operator, and the endpoint of this machine's managed identity. The program doesn't get them. */
const secretOrIdentity =
  /^(?:PLATFORM_|AZURE_|ARM_).*(?:SECRET|PASSWORD|KEY|TOKEN|SAS|CONNECTION_?STRING)|^(?:IDENTITY|MSI|IMDS)_/i

/** Starts an enclave that simulates the cloud of a profile, and closes it after the work. @param folder For the files of the credential. */
export async function withCloud<T>(
  chosen: CloudProfile,
  env: Env,
  { folder, ...options }: EnclaveOptions & { readonly folder: string },
  work: (cloud: Required<CloudOfRun>) => Promise<T>,
): Promise<T> {
  const mode = modeOf(env)
  const tenant = readVariable(env, 'PLATFORM_TENANT_ID')
  const tenantId = tenant !== undefined && isGuid(tenant) ? tenant : chosen.tenantId
  // The program's credential. Not PLATFORM_CLIENT_SECRET, which may contain a real secret of the operator.
  const clientId = readVariable(env, 'AZURE_CLIENT_ID') ?? readVariable(env, 'PLATFORM_CLIENT_ID')
  const clientSecret = readVariable(env, 'AZURE_CLIENT_SECRET')
  const enclave = await startEnclave({
    cloud: chosen,
    tenantId,
    clientId,
    clientSecret,
    adviceOn: (resource) => counterpartOf(resource, { cloud: chosen })?.advice,
    ...options,
  })
  try {
    const files = needsFile.has(mode) ? await writeEnclaveFiles(enclave, folder) : undefined
    const settings = Object.entries(enclave.environment(mode, files))
    const credentials = Object.fromEntries(settings.filter(([name]) => credential.test(name) || ofMode.test(name)))
    const kept = Object.entries(env).filter(([name]) => !credential.test(name) && !secretOrIdentity.test(name))
    return await work({
      enclave,
      profile: { ...chosen, tenantId: enclave.tenantId },
      env: { ...Object.fromEntries(kept), ...credentials },
      credentials,
    })
  } finally {
    await enclave.close()
  }
}

const needsFile: ReadonlySet<EnclaveAuthMode> = new Set(['workloadIdentity', 'clientCertificate', 'platformCli'])

function modeOf(env: Env): EnclaveAuthMode {
  const name = readVariable(env, 'AUTH_MODE')?.trim() ?? 'clientSecret'
  const mode = enclaveAuthModes.find((each) => each === name)
  if (mode !== undefined) return mode
  throw new ServiceError('SETTING_INVALID', `AUTH_MODE must be one of ${enclaveAuthModes.join(', ')}`)
}
