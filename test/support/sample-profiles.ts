import type { CloudProfile } from '../../src/lib/clouds/cloud-profile.ts'
import { resolveCloudProfile } from '../../src/lib/cloud.ts'

export const government = resolveCloudProfile({ name: 'platform-us-government', env: {} })

/** A private cloud with a separate directory, and nothing for other tools. */
export const enclave: CloudProfile = {
  name: 'enclave',
  displayName: 'Enclave',
  environment: 'custom',
  authorityHost: 'https://login.enclave.test:8443/',
  resourceManagerEndpoint: 'https://management.enclave.test:8444/',
  resourceManagerAudience: 'https://management.core.enclave.test/',
  tenantId: 'contoso.test',
  portalUrl: 'https://portal.enclave.test/',
  metadataEndpoint: 'https://management.enclave.test:8444/metadata/endpoints',
  serviceDnsSuffixes: {
    storage: '.blob.core.enclave.test',
    keyVault: '.vault.enclave.test',
    sqlServer: '.database.enclave.test',
    containerRegistry: '.registry.enclave.test',
  },
  serviceAudiences: {
    arm: 'https://management.core.enclave.test/',
    storage: 'https://storage.azure.com/',
    keyVault: 'https://vault.enclave.test/',
  },
}

/** An on-premises stack on a federation service. */
export const stack: CloudProfile = {
  ...enclave,
  name: 'stack',
  environment: 'platformstackcloud',
  authorityHost: 'https://adfs.stack.test/adfs/',
  tenantId: 'adfs',
  resourceManagerAudience: 'https://management.stack.test/e2bf6aa1-7a8f-4bb9-b8cb-caef446339ec/',
}

/** Azure Local with disconnected operations. */
export const azureLocal: CloudProfile = {
  ...stack,
  name: 'azure-local',
  authorityHost: 'https://login.local.test/adfs/',
  resourceManagerEndpoint: 'https://armmanagement.local.test/',
  resourceManagerAudience: 'https://armmanagement.local.test/',
  serviceDnsSuffixes: {
    storage: '.blob.local.test',
    keyVault: '.vault.local.test',
    sqlServer: '.database.absent.invalid',
    containerRegistry: '.edgeacr.local.test',
  },
  serviceAudiences: {
    arm: 'https://armmanagement.local.test/',
    storage: 'https://storage.azure.com/',
    keyVault: 'https://vault.absent.invalid/',
  },
  services: { containerRegistry: { audience: 'https://armmanagement.local.test' } },
  absent: ['serviceDnsSuffixes.sqlServer', 'serviceAudiences.keyVault'],
}

/** What would break out of a literal, a comment or a line in at least one language. */
export const hostileText = [
  `it's "quoted" \\ \\" \\' back\`tick\``,
  '$HOME $(id) ${HOME} %{ if true } %PATH% $${x} `id`',
  '*/ <!-- --> # // -- ; & | > < ! ~ {{ .Values.x }} {0}',
  'line\nfeed\r\nreturn\ttab\u0007bell\u007fdelete\u0085next',
  '\u2028line\u2029paragraph\u202eright-to-left\u{feff}mark\u{e0041}tag',
  'é 漢字 🎉',
].join('|')

/** A profile whose every free text is hostile. Its addresses stay addresses: validation lets nothing else through. */
export const hostile: CloudProfile = { ...enclave, name: hostileText, displayName: hostileText, notes: hostileText }

const code = [
  '(coding: utf-7) +AAo-import os',
  ' vim: set modeline: ',
  '{{ lookup("pipe", "id") }}',
  '$(id)',
  '%{ if true }',
]
const escapes = [
  String.raw`\u000aclass Evil {}`,
  String.raw`\u0022+evil()+\u0022`,
  '"; evil(); "',
  "'; evil; '",
  '"""',
  '\\',
]
const marks = [
  '*/ evil /*',
  '--> <!--',
  '@file',
  '!tag',
  '%PATH%',
  '\u201csmart\u201d',
  '\u202Ex',
  '\uFEFF',
  '\uFFFE',
  '漢字🎉',
]
/** Some tool executes each of these, ends a text at it, or reads on differently after it. */
export const orders = [...code, ...escapes, ...marks]
