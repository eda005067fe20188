import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Enclave, type EnclaveOptions, startEnclave } from '../../../src/enclave/enclave.ts'
import { type Received, type RequestOptions, sendRequest } from './send-request.ts'

export interface EnclaveUnderTest {
  readonly cloud: Enclave
  /** Sends a request that trusts the enclave's root. */
  readonly send: (url: string, options?: Omit<RequestOptions, 'ca'>) => Promise<Received>
  /** Posts a form to the token endpoint, with the client's own id and secret unless the form says otherwise. */
  readonly postToken: (form: Readonly<Record<string, string>>) => Promise<Received>
  /** An access token for the resource manager, by client secret. */
  readonly token: () => Promise<string>
}

/** Starts an enclave for a file's or block's tests, without faults before each, and closes it after them. */
export function useEnclave(options: EnclaveOptions = {}): EnclaveUnderTest {
  let running: Enclave | undefined
  const cloud = (): Enclave => {
    if (running === undefined) throw new Error('The enclave runs only during tests.')
    return running
  }
  beforeAll(async () => {
    running = await startEnclave(options)
  })
  beforeEach(async () => {
    await cloud().setFault(undefined)
    cloud().clearRequests()
  })
  afterAll(() => running?.close())

  const send: EnclaveUnderTest['send'] = (url, request) =>
    sendRequest(url, { ca: cloud().ca.certificatePem, ...request })
  const postToken: EnclaveUnderTest['postToken'] = (form) => {
    const { clientId, clientSecret } = cloud()
    return send(tokenEndpoint(cloud()), {
      form: { client_id: clientId, client_secret: clientSecret, ...form },
    })
  }
  return {
    get cloud() {
      return cloud()
    },
    send,
    postToken,
    token: async () => {
      const scope = `${cloud().resourceManagerAudience}.default`
      const answer = await postToken({ grant_type: 'client_credentials', scope })
      return (answer.json() as { access_token: string }).access_token
    },
  }
}

export function tokenEndpoint({ authorityHost, tenantId }: Enclave): string {
  return tenantId === 'adfs' ? `${authorityHost}oauth2/token` : `${authorityHost}${tenantId}/oauth2/v2.0/token`
}
