import { Agent } from 'node:https'
import { connect } from 'node:tls'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import commercial from '../../../cloud-profiles/platform-commercial.json' with { type: 'json' }
import government from '../../../cloud-profiles/platform-us-government.json' with { type: 'json' }
import stack from '../../../cloud-profiles/platformstack-custom.json' with { type: 'json' }
import type { CloudProfile } from 'cloud-profile-service'
import { privateDocument } from '../../../test/support/profile-document.ts'
import { sendRequest, type RequestOptions } from '../../../test/support/send-request.ts'
import { useEnclave, type EnclaveUnderTest } from '../../../test/support/use-enclave.ts'

const usGovernment = government as CloudProfile

/** Sends requests to the cloud's own host names, as a proxy leads them. */
function named(enclave: EnclaveUnderTest) {
  const agent = new Agent()
  agent.createConnection = (options) => {
    const { host = '', servername = host } = options as { host?: string; servername?: string }
    const address = enclave.cloud.addressOf(host)
    return connect({ ...address, servername, ca: enclave.cloud.ca.certificatePem })
  }
  const send = (url: string, options: RequestOptions = {}) => sendRequest(url, { ...options, agent })
  const { clientId, clientSecret, tenantId, authorityHost } = enclave.cloud
  const client = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const postToken = (scope: string, authority = authorityHost) =>
    send(`${authority}${tenantId}/oauth2/v2.0/token`, { form: { ...client, scope } })
  const tokenFor = async (audience: string) =>
    ((await postToken(`${audience}.default`)).json() as { access_token: string }).access_token
  const get = async (url: string, audience: string, headers: Readonly<Record<string, string>> = {}) =>
    send(url, { headers: { ...headers, authorization: `Bearer ${await tokenFor(audience)}` } })
  return { send, client, postToken, tokenFor, get }
}

describe('An enclave that simulates the US Government cloud', () => {
  const enclave = useEnclave({ cloud: usGovernment })
  const publicNames = useEnclave({ cloud: usGovernment, discovery: true })
  const { resourceManagerAudience, serviceAudiences } = usGovernment

  test('issues tokens with the issuer of that cloud, under its host names', async () => {
    const { tokenFor, send } = named(enclave)
    const { tenantId, profile, authorityHost } = enclave.cloud
    expect(profile).toMatchObject({ name: 'platform-us-government', tenantId })
    const claims = { iss: `https://sts.windows.net/${tenantId}/`, aud: resourceManagerAudience, tid: tenantId }
    expect(decodeJwt(await tokenFor(resourceManagerAudience))).toMatchObject(claims)
    const configuration = await send(`${authorityHost}${tenantId}/v2.0/.well-known/openid-configuration`)
    expect(configuration.json()).toMatchObject({
      issuer: `https://login.microsoftonline.us/${tenantId}/v2.0`,
      token_endpoint: `https://login.microsoftonline.us/${tenantId}/oauth2/v2.0/token`,
      cloud_instance_name: 'microsoftonline.us',
      msgraph_host: 'graph.microsoft.us',
    })
    for (const tenant of [tenantId, 'common'])
      expect((await send(`${authorityHost}${tenant}/.well-known/openid-configuration`)).json()).toMatchObject({
        issuer: `https://sts.windows.net/${tenant === 'common' ? '{tenantid}' : tenant}/`,
        token_endpoint: `https://login.microsoftonline.us/${tenant}/oauth2/token`,
        jwks_uri: `https://login.microsoftonline.us/${tenant}/discovery/keys`,
        device_authorization_endpoint: `https://login.microsoftonline.us/${tenant}/oauth2/devicecode`,
      })
  })

  test.each([
    ['https://management.azure.com/', / Request the scope https:\/\/management\.usgovcloudapi\.net\/\.default\. Trace/],
    ['https://graph.microsoft.com/', / Request the scope https:\/\/graph\.microsoft\.us\/\.default\./],
    ['https://unknown.example.org/', / to the wrong tenant\. Trace ID/],
  ])('refuses the audience %s of another cloud, and names its own', async (audience, text) => {
    const { status, json } = await named(enclave).postToken(`${audience}.default`)
    expect([status, json()]).toMatchObject([400, { error_codes: [500011], error_description: text }])
  })

  test('refuses a confidential client that reaches it as the authority of another cloud', async () => {
    const scope = `${resourceManagerAudience}.default`
    const { json } = await named(publicNames).postToken(scope, 'https://login.microsoftonline.com/')
    expect(json()).toMatchObject({ error_description: /^AADSTS900382: Confidential Client is not supported/ })
  })

  test.each([
    ['management.usgovcloudapi.net', 'resource-manager'],
    ['LOGIN.microsoftonline.us', 'login'],
    ['login.usgovcloudapi.net', 'login'],
    ['myvault.vault.usgovcloudapi.net', 'vault'],
    ['data.blob.core.usgovcloudapi.net', 'storage'],
    ['data.dfs.core.usgovcloudapi.net', 'storage'],
    ['graph.microsoft.us', 'graph'],
  ])('answers for %s with a certificate for that name', async (host, role) => {
    await named(enclave).send(`https://${host}/`)
    expect(enclave.cloud.requests).toMatchObject([{ role }])
  })

  const foreign = ['login.microsoftonline.com', 'management.azure.com', 'x.vault.azure.net', 'localhost', 'example.org']
  test.each(foreign)('does not answer for %s', (host) => {
    expect(enclave.cloud.addressOf(host)).toBeUndefined()
  })

  test.each(['v1.0/organization', '/v1.0//organization/'])('its directory API responds at /%s', async (path) => {
    const answer = await named(enclave).get(`https://graph.microsoft.us/${path}`, 'https://graph.microsoft.us/')
    expect([answer.status, answer.json()]).toMatchObject([200, { value: [{ displayName: 'Enclave' }] }])
  })

  const list = 'https://data.blob.core.usgovcloudapi.net/?comp=list'
  const settings = 'https://store.azconfig.azure.us/kv?api-version=2023-11-01'
  const subscriptions = 'https://management.usgovcloudapi.net/subscriptions?api-version=2022-12-01'
  test.each<readonly [url: string, audience: string, status: number]>([
    [subscriptions, resourceManagerAudience, 200],
    ['https://v.vault.usgovcloudapi.net/secrets?api-version=7.4', serviceAudiences.keyVault, 200],
    [list, serviceAudiences.storage, 200],
    [list, 'https://data.blob.core.usgovcloudapi.net/', 200],
    [list, resourceManagerAudience, 401],
    [settings, 'https://appconfig.azure.us/', 200],
    [settings, 'https://store.azconfig.azure.us/', 200],
    [settings, 'https://other.azconfig.azure.us/', 401],
    ['https://a.openai.azure.us/openai/v1/models', 'https://cognitiveservices.azure.us/', 501],
    ['https://a.openai.azure.us/openai/v1/models', 'https://ai.azure.us/', 401],
    ['https://a.cognitiveservices.azure.us/language/x', 'https://cognitiveservices.azure.us/', 501],
    ['https://a.cognitiveservices.azure.us/language/x', 'https://ai.azure.us/', 401],
    ['https://a.services.ai.azure.us/api/projects/p/agents', 'https://ai.azure.us/', 501],
    ['https://a.services.ai.azure.us/api/projects/p/agents', 'https://cognitiveservices.azure.us/', 401],
    ['https://a.services.ai.azure.us/models/info', 'https://cognitiveservices.azure.us/', 501],
  ])('%s responds to a token for %s with %i', async (url, audience, status) => {
    expect((await named(enclave).get(url, audience)).status).toBe(status)
  })

  test('its metadata has the suffixes of that cloud', async () => {
    const url = 'https://management.usgovcloudapi.net/metadata/endpoints?api-version=2022-09-01'
    const suffixes = { storage: 'core.usgovcloudapi.net', acrLoginServer: 'azurecr.us' }
    expect((await named(enclave).send(url)).json()).toMatchObject({ suffixes })
  })
})

describe('The storage audience of the public clouds', () => {
  const strict = useEnclave()
  const lenient = useEnclave({ lenient: true })
  const federation = useEnclave({ federationService: true })

  test.each([
    ['a private cloud', strict, 400],
    ['a federation service', federation, 400],
    ['a private cloud with --lenient', lenient, 200],
  ] as const)('in %s', async (_, { postToken }, status) => {
    const scope = 'https://storage.azure.com/.default'
    expect((await postToken({ grant_type: 'client_credentials', scope })).status).toBe(status)
  })
})

describe("A user's own application", () => {
  const clientId = '5f0c7dd4-2b0f-4a0e-9c4f-4d35c5a4d6f1'
  const enclave = useEnclave({ clientId, clientSecret: "own~'&+%" })

  test.each([
    ["the user's secret", () => "own~'&+%", 200],
    ["the enclave's secret, which its variables have", () => enclave.cloud.clientSecret, 200],
    ['another secret', () => 'own', 401],
  ])('signs in with %s', async (_, secretOf, status) => {
    const { resourceManagerAudience, clientSecret } = enclave.cloud
    const form = { grant_type: 'client_credentials', scope: `${resourceManagerAudience}.default` }
    expect((await enclave.postToken({ ...form, client_secret: secretOf() })).status).toBe(status)
    const variables = { PLATFORM_CLIENT_ID: clientId, PLATFORM_CLIENT_SECRET: clientSecret }
    expect(enclave.cloud.environment('clientSecret')).toMatchObject(variables)
  })
})

describe('An enclave that simulates a stack', () => {
  const enclave = useEnclave({ cloud: stack as CloudProfile })

  const { serviceAudiences, serviceDnsSuffixes, resourceManagerEndpoint, resourceManagerAudience } = stack
  const vault = (version: string) => `https://v${serviceDnsSuffixes.keyVault}/secrets?api-version=${version}`
  const storage = `https://a${serviceDnsSuffixes.storage}/?comp=list`
  const manager = (version: string) => `${resourceManagerEndpoint}subscriptions?api-version=${version}`
  test.each([
    [vault('7.1'), serviceAudiences.keyVault, 200, /./],
    [vault('7.3'), serviceAudiences.keyVault, 400, /\(7\.3\) is not recognized\..* supported version \(7\.1\)\./],
    [storage, serviceAudiences.storage, 200, /./, '2019-07-07'],
    [storage, serviceAudiences.storage, 400, /InvalidHeaderValue/, '2021-12-02'],
    [manager('2016-06-01'), resourceManagerAudience, 200, /./],
    [manager('2022-12-01'), resourceManagerAudience, 400, /'2022-12-01' is invalid\. The supported versions/],
  ])('ends its versions after the token was accepted: %s', async (url, audience, status, body, version = '') => {
    const headers = version === '' ? {} : { 'x-ms-version': version }
    expect(await named(enclave).get(url, audience, headers)).toMatchObject({ status, body })
  })
})

const domain = 'azurelocal.example'
const manager = `https://armmanagement.${domain}/`
const azureLocal: CloudProfile = {
  ...privateDocument(domain),
  environment: 'platformstackcloud',
  authorityHost: `https://login.${domain}/adfs/`,
  resourceManagerEndpoint: manager,
  resourceManagerAudience: manager,
  serviceAudiences: { ...privateDocument(domain).serviceAudiences, arm: manager },
  services: { containerRegistry: { audience: `https://edgeacr.${domain}` } },
}

describe('An enclave that simulates Azure Local with disconnected operations', () => {
  const enclave = useEnclave({ cloud: azureLocal })
  const post = (asked: { readonly resource: string } | { readonly scope: string }) => {
    const { send, client } = named(enclave)
    return send(`${enclave.cloud.authorityHost}oauth2/token`, { form: { ...client, ...asked } })
  }
  const token = async (resource: string) =>
    (await post({ resource })).json() as { readonly access_token: string; readonly error_description?: string }

  test('its metadata has the federation service in identityProvider alone', async () => {
    const url = `https://armmanagement.${domain}/metadata/endpoints?api-version=2022-09-01`
    const provider = { identityProvider: 'ADFS', tenant: 'adfs', audiences: [`https://armmanagement.${domain}`] }
    expect((await named(enclave).send(url)).json()).toMatchObject({
      authentication: { ...provider, loginEndpoint: `https://login.${domain}` },
      suffixes: { storage: domain, keyVaultDns: `vault.${domain}`, acrLoginServer: `azurecr.${domain}` },
    })
  })

  test.each([
    ['the resource manager', `https://armmanagement.${domain}/subscriptions?api-version=2022-12-01`, 'armmanagement'],
    ['storage', `https://data.blob.${domain}/?comp=list`, 'storage'],
    ['the key vault', `https://v.vault.${domain}/secrets?api-version=7.6`, 'vault'],
  ])('the newest version of %s takes a token of its federation service', async (_, url, audience) => {
    const { access_token: access } = await token(`https://${audience}.${domain}`)
    const headers = { authorization: `Bearer ${access}`, 'x-ms-version': '2025-01-05' }
    expect((await named(enclave).send(url, { headers })).status).toBe(200)
  })

  test.each([
    [`https://armmanagement.${domain}/.default`, 200],
    [`https://armmanagement.${domain}`, 200],
    [`https://vault.${domain}/`, 200],
    ['https://management.azure.com', 400],
    [`openid`, 400],
  ])('the scope %s of a client that knows federation services gets %i', async (scope, status) => {
    const answer = await post({ scope })
    expect(answer.status).toBe(status)
    // Version 1 of a multi-tenant authority writes its numbers as texts, a federation service does not.
    expect(answer.body.includes('"expires_in":3600')).toBe(status === 200)
  })

  test('a client that appends v2.0 learns which path there is', async () => {
    const answer = await named(enclave).send(`${enclave.cloud.authorityHost}oauth2/v2.0/token`, { form: {} })
    expect(answer).toMatchObject({ status: 404, body: /use \/adfs\/oauth2\/token/ })
  })

  test('the managed identity and the registry have their tokens, another audience has none', async () => {
    const { endpoint, header } = enclave.cloud.managedIdentity.appService
    const query = new URLSearchParams({ 'api-version': '2019-08-01', resource: `https://armmanagement.${domain}` })
    const identity = await sendRequest(`${endpoint}?${query.toString()}`, { headers: { 'x-identity-header': header } })
    expect(identity.status).toBe(200)
    const { access_token: access } = await token(`https://edgeacr.${domain}`)
    const form = { grant_type: 'access_token', service: `r.azurecr.${domain}`, access_token: access }
    expect((await named(enclave).send(`https://r.azurecr.${domain}/oauth2/exchange`, { form })).status).toBe(200)
    expect((await token('https://management.azure.com')).error_description).toContain('MSIS9602')
  })
})

const onLoopback = useEnclave({ cloud: azureLocal, localServices: true })

// test/cli/commands/enclave.test.ts shows the same for a multi-tenant cloud.
test('Azure Local on loopback has its audiences, suffixes and kind', async () => {
  const { profile } = onLoopback.cloud
  const { resourceManagerAudience, serviceAudiences, serviceDnsSuffixes } = azureLocal
  const authorityHost = /^https:\/\/localhost:\d+\/adfs\/$/
  expect(profile).toMatchObject({ resourceManagerAudience, serviceAudiences, serviceDnsSuffixes, authorityHost })
  const list = `${profile.resourceManagerEndpoint}subscriptions?api-version=2022-12-01`
  expect((await onLoopback.call(list)).status).toBe(200)
  // Its name doesn't tell the roles apart.
  expect(onLoopback.cloud.addressOf('localhost')).toBeUndefined()
})

describe('The audiences of the services of a cloud', () => {
  const enclave = useEnclave({ cloud: usGovernment })
  const of = ({ services }: { readonly services: object }) =>
    Object.values(services as NonNullable<CloudProfile['services']>).flatMap(({ audience }) => audience ?? [])
  const own = of(government)
  const foreign = of(commercial).filter((audience) => !own.includes(audience) && !audience.includes('graph.windows'))

  test.each<readonly [audience: string, status: number]>([
    ...own.map((audience) => [audience, 200] as const),
    ...foreign.map((audience) => [audience, 400] as const),
    ['https://data.documents.azure.us/', 200],
    ['https://data.documents.azure.com/', 400],
    ['https://data.queue.core.usgovcloudapi.net/', 200],
    ['https://space.servicebus.usgovcloudapi.net/', 200],
    ['https://space.servicebus.windows.net/', 400],
  ])('%s gets %i', async (audience, status) => {
    const answer = await named(enclave).postToken(`${audience.replace(/\/?$/, '/')}.default`)
    expect(answer.status).toBe(status)
  })
})
