import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Library from '../../../src/lib/index.ts'
import type * as Metadata from '../../../src/lib/discovery.ts'

// `read-prototype.ts FOLDER before|after`: puts a getter for every identifier of the library on Object.prototype, and prints which ones it runs.
const [, , folder = '', when] = process.argv
const [main, metadata] = ['index.mjs', 'discovery.mjs'].map((name) => join(folder, name)) as [string, string]
const library = (await import(pathToFileURL(main).href)) as typeof Library
const { discoverCloud } = (await import(pathToFileURL(metadata).href)) as typeof Metadata

/** With these, the language itself and Node stop working. It reads `then` of a result, `return` of an iterator, and `toJSON`. */
const ofLanguage = /^(get|set|value|writable|enumerable|configurable|then|return|toJSON|__proto__)$/
const texts = globSync(['src/lib/**/*.ts', 'cloud-profiles/**/*.json']).map((file) => readFileSync(file, 'utf8'))
const identifiers = texts.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? [])
const names = new Set([...identifiers, ...Object.keys(process.env)])
const reads = new Set<string>()
let isReading = false

function watchPrototype(): void {
  for (const name of names) {
    if (name in Object.prototype || ofLanguage.test(name)) continue
    // oxlint-disable-next-line no-extend-native -- The attack that this program plays.
    Object.defineProperty(Object.prototype, name, {
      configurable: true,
      get: () => noteReader(name),
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true })
      },
    })
  }
  isReading = true
}

/** Notes a read whose nearest caller is a line of the library. Packages and Node may read what they like. */
function noteReader(name: string): undefined {
  if (!isReading) return
  isReading = false
  const callers = new Error(name).stack?.split('\n').slice(3) ?? []
  const caller = callers.find((line) => !line.includes('<anonymous>)')) ?? ''
  const [, file, line] = new RegExp(`(${main}|${metadata}):(\\d+)`).exec(caller) ?? []
  if (file !== undefined) reads.add(`${name}: ${readFileSync(file, 'utf8').split('\n')[Number(line) - 1]?.trim()}`)
  isReading = true
}

const { PLATFORM_CLIENT_ID: clientId = '', PLATFORM_CLIENT_SECRET: clientSecret = '' } = process.env
const { PLATFORM_TENANT_ID: tenantId = '', NODE_EXTRA_CA_CERTS: path = '' } = process.env
const document: unknown = JSON.parse(readFileSync(process.env['CUSTOM_CLOUD_PROFILE_PATH'] ?? '', 'utf8'))

if (when === 'before') watchPrototype()
const cloud = await library.resolveCloud()
if (when !== 'before') watchPrototype()
const { credential, profile, identity, resourceManager } = cloud
const { token } = await credential.getToken(resourceManager.scope)
await credential.getToken(resourceManager.scope, { tenantId })
cloud.service('keyVault', 'account')
library.serviceUrl(profile, 'storage', 'account')
const copy = library.parseCloudProfile(document)
// A caller's object has a prototype.
const own = { ...copy, serviceDnsSuffixes: { ...copy.serviceDnsSuffixes } }
library.serviceUrl(own, 'keyVault', 'account')
library.resourceManagerUrl(own, 'subscriptions')
library.createCredentialPlan(own, process.env)
library.createCredentialPlan(own, { mode: 'clientSecret', tenantId, clientId, clientSecret })
library.createCredentialPlan(own, { mode: 'clientCertificate', clientId, clientCertificatePath: path })
library.explainCloudProfile({ env: { PLATFORM_CLOUD: 'platform-us-gov-secret', PLATFORM_TENANT_ID: tenantId } })
library.resolveCloudProfile({ env: { PLATFORM_AUTHORITY_HOST: 'https://login.enclave.example/' } })
identity.issuers(tenantId)
await library.resolveCloud({ profile: own, credential: { mode: 'clientSecret', tenantId, clientId, clientSecret } })
await discoverCloud(own)
cloud.onBehalfOf(token)
isReading = false
process.stdout.write(JSON.stringify({ hasToken: token !== '', names: names.size, reads: [...reads] }))
process.exit()
