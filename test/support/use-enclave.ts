import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Enclave, EnclaveOptions } from 'cloud-profile-enclave/enclave'
import { startEnclave, writeEnclaveFiles } from 'cloud-profile-enclave/enclave'
import { type RequestOptions, sendRequest } from './send-request.ts'
import { trust } from './trust.ts'

export type EnclaveUnderTest = ReturnType<typeof useEnclave>

export type OpenedEnclave = Awaited<ReturnType<typeof openEnclave>>

/** A running enclave with its files, trusted until it closes. Its deadline is the longest: on a busy machine, a success may exceed the default. */
export async function openEnclave(options: EnclaveOptions = {}) {
  const started = await startEnclave(options)
  const enclave: Enclave = {
    ...started,
    environment: (mode, files) => ({ ...started.environment(mode, files), PLATFORM_TOKEN_TIMEOUT_MS: '120000' }),
  }
  const files = await writeEnclaveFiles(enclave)
  const distrust = trust(enclave.ca.certificatePem)
  return {
    enclave,
    files,
    close: async (): Promise<void> => {
      distrust()
      await enclave.close()
      await rm(files.directory, { recursive: true, force: true })
    },
  }
}

/** Enclaves for single tests: each opened one ends with its test. */
export function useEnclaves(): (options?: EnclaveOptions) => Promise<OpenedEnclave> {
  const opened: OpenedEnclave[] = []
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close()
  })
  return async (options) => {
    const each = await openEnclave(options)
    opened.push(each)
    return each
  }
}

/** Starts an enclave for a file's or block's tests, without faults before each, and closes it after them. */
export function useEnclave(options: EnclaveOptions = {}) {
  let opened: OpenedEnclave | undefined
  const running = (): OpenedEnclave => {
    if (opened === undefined) throw new Error('The enclave runs only during tests.')
    return opened
  }
  const cloud = (): Enclave => running().enclave
  beforeAll(async () => {
    opened = await openEnclave(options)
  })
  beforeEach(async () => {
    await cloud().setFault(undefined)
    cloud().clearRequests()
  })
  afterAll(() => opened?.close())

  const send = (url: string, more?: RequestOptions) => sendRequest(url, { ca: cloud().ca.certificatePem, ...more })
  /** Posts a form to the token endpoint, with the client's id and secret unless the form has others. */
  const postToken = (form: Readonly<Record<string, string>>) => {
    const { clientId, clientSecret } = cloud()
    return send(tokenEndpoint(cloud()), { form: { client_id: clientId, client_secret: clientSecret, ...form } })
  }
  /** An access token by client secret. Default is one for the resource manager. */
  const token = async (audience = cloud().resourceManagerAudience) => {
    const answer = await postToken({ grant_type: 'client_credentials', scope: `${audience}.default` })
    return (answer.json() as { access_token: string }).access_token
  }
  /** Sends a request with a token for an audience. Default is the resource manager's. */
  const call = async (url: string, audience?: string, more?: RequestOptions) =>
    send(url, { ...more, headers: { authorization: `Bearer ${await token(audience)}`, ...more?.headers } })
  return {
    get cloud() {
      return cloud()
    },
    get files() {
      return running().files
    },
    send,
    postToken,
    token,
    call,
  }
}

export function tokenEndpoint({ authorityHost, tenantId }: Enclave): string {
  return tenantId === 'adfs' ? `${authorityHost}oauth2/token` : `${authorityHost}${tenantId}/oauth2/v2.0/token`
}

export const documentOf = ({ authorityHost, tenantId }: Enclave): string =>
  `${authorityHost}${tenantId}/v2.0/.well-known/openid-configuration`
