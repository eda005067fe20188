import { privateDocument } from '../../support/profile-document.ts'
import { courses, planted, type Course, type PlantedSecret } from './answers.ts'

/** A cloud profile, how it is chosen, and the only hosts that it may lead to. */
export interface ProfileSubject {
  readonly label: string
  /** Content of a custom profile file; absent for a built-in, whose name the label is. */
  readonly document?: object
  /** What selects and overrides a built-in. */
  readonly variables?: Readonly<Record<string, string>>
  /** Absent for a profile with placeholders: nothing may be contacted. */
  readonly hosts?: { readonly authority: string; readonly manager: string; readonly services: readonly string[] }
  /** One run for each course. */
  readonly courses: readonly Course[]
}

/** Resources whose hosts end with the suffixes of the profile. */
export const accounts = { PLATFORM_STORAGE_ACCOUNT: 'ourstorage', PLATFORM_KEY_VAULT: 'ourvault' } as const

const hostsOf = (authority: string, manager: string, storage: string, vault: string) => ({
  authority,
  manager,
  services: [`ourstorage.blob.${storage}`, `ourvault.vault.${vault}`],
})
const ofGovernment = 'usgovcloudapi.net'
const inEnclave = hostsOf('login.enclave.test', 'management.enclave.test', 'enclave.test', 'enclave.test')

const ofStack = { environment: 'platformstackcloud', authorityHost: 'https://adfs.stack.test/adfs/' }
const placeholder = (label: string): ProfileSubject => ({ label, courses: ['honest'] })

// Written out rather than read from the profiles, so that a profile cannot excuse itself.
export const profiles: readonly ProfileSubject[] = [
  {
    label: 'platform-commercial',
    hosts: hostsOf('login.microsoftonline.com', 'management.azure.com', 'core.windows.net', 'azure.net'),
    courses: ['honest'],
  },
  {
    label: 'platform-us-government',
    hosts: hostsOf('login.microsoftonline.us', `management.${ofGovernment}`, `core.${ofGovernment}`, ofGovernment),
    courses: ['honest', 'foreign-answers', 'redirects'],
  },
  ...['platform-us-gov-secret', 'platform-us-gov-topsecret', 'platformstack-custom'].map(placeholder),
  {
    label: 'platform-us-government with the endpoints of an enclave',
    // Its metadata endpoint and portal have no variable: they must not lead back to the cloud that it came from.
    variables: {
      PLATFORM_CLOUD: 'platform-us-government',
      PLATFORM_AUTHORITY_HOST: 'https://login.enclave.test/',
      PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://management.enclave.test/',
      PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'https://management.enclave.test/',
      PLATFORM_STORAGE_DNS_SUFFIX: '.blob.enclave.test',
      PLATFORM_KEYVAULT_DNS_SUFFIX: '.vault.enclave.test',
      PLATFORM_KEYVAULT_AUDIENCE: 'https://vault.enclave.test/',
    },
    hosts: inEnclave,
    courses: ['honest', 'foreign-answers'],
  },
  { label: 'a custom enclave', document: privateDocument('enclave.test'), hosts: inEnclave, courses },
  {
    label: 'a custom stack with a federation service',
    document: { ...privateDocument('stack.test'), ...ofStack },
    hosts: hostsOf('adfs.stack.test', 'management.stack.test', 'stack.test', 'stack.test'),
    courses: ['honest', 'foreign-document'],
  },
]

/** Paths that the variables of a mode need. */
export interface SubjectFiles {
  readonly federatedTokenPath: string
  readonly certificatePath: string
  /** Contains a stand-in for the command-line tool. */
  readonly toolDirectory: string
}

/** A way to sign in. */
export interface ModeSubject {
  readonly label: string
  /** The secrets that go to the login authority in this mode, and to nobody else. */
  readonly shown: readonly PlantedSecret[]
  /** The host of the identity endpoint. */
  readonly identityHost?: string
  /** The library keeps a managed identity in statics of its process, so each run gets a separate process. */
  readonly processEach?: true
  /** The labels of the profiles that it is run with. Default is all. */
  readonly profiles?: readonly string[]
  variables(files: SubjectFiles): NodeJS.ProcessEnv
}

const application = {
  PLATFORM_TENANT_ID: '11111111-2222-3333-4444-555555555555',
  PLATFORM_CLIENT_ID: '66666666-7777-8888-9999-000000000000',
}
const appService = { IDENTITY_ENDPOINT: 'http://169.254.130.1/msi/token', IDENTITY_HEADER: planted.identityHeader }

/** A mode in which the application sends its secret to the login authority. */
const applicationMode = (
  AUTH_MODE: string,
  shown: readonly PlantedSecret[],
  own: ModeSubject['variables'] = () => ({}),
): ModeSubject => ({ label: AUTH_MODE, shown, variables: (files) => ({ AUTH_MODE, ...application, ...own(files) }) })
const secret = () => ({ PLATFORM_CLIENT_SECRET: planted.clientSecret })
const identity = { shown: [], identityHost: '169.254.130.1', processEach: true } as const
const few = ['platform-us-gov-secret', 'a custom enclave']

export const modes: readonly ModeSubject[] = [
  applicationMode('clientSecret', ['clientSecret'], secret),
  applicationMode('clientCertificate', ['clientAssertion'], ({ certificatePath }) => ({
    PLATFORM_CLIENT_CERTIFICATE_PATH: certificatePath,
  })),
  applicationMode('usernamePassword', ['password'], () => ({
    PLATFORM_USERNAME: 'operator@enclave.test',
    PLATFORM_PASSWORD: planted.password,
  })),
  applicationMode('deviceCode', ['deviceCode']),
  applicationMode('workloadIdentity', ['federatedAssertion', 'clientAssertion'], ({ federatedTokenPath }) => ({
    PLATFORM_FEDERATED_TOKEN_FILE: federatedTokenPath,
  })),
  applicationMode('default', ['clientSecret'], secret),
  { ...identity, label: 'managedIdentity', variables: () => ({ AUTH_MODE: 'managedIdentity', ...appService }) },
  {
    ...identity,
    label: 'managedIdentity of a virtual machine',
    identityHost: '169.254.169.254',
    profiles: few,
    variables: () => ({ AUTH_MODE: 'managedIdentity' }),
  },
  {
    label: 'platformCli',
    shown: [],
    variables: ({ toolDirectory }) => ({ AUTH_MODE: 'platformCli', PATH: `${toolDirectory}:/usr/bin:/bin` }),
  },
  {
    ...identity,
    label: 'default with nothing but a managed identity',
    profiles: few,
    variables: () => ({ AUTH_MODE: 'default', ...appService, AZURE_FEDERATED_TOKEN_FILE: '' }),
  },
]

/** Variables that change where the credential library goes, whatever it was told. */
export function hostileVariables({ federatedTokenPath }: SubjectFiles): NodeJS.ProcessEnv {
  return {
    AZURE_AUTHORITY_HOST: 'https://login.foreign.example.test/',
    AZURE_TOKEN_CREDENTIALS: 'dev',
    AZURE_FEDERATED_TOKEN_FILE: federatedTokenPath,
    AZURE_CLIENT_ID: application.PLATFORM_CLIENT_ID,
    AZURE_TENANT_ID: application.PLATFORM_TENANT_ID,
    AZURE_CLIENT_SECRET: planted.clientSecret,
    AZURE_USERNAME: 'operator@enclave.test',
    AZURE_PASSWORD: planted.password,
    REGION_NAME: 'foreignregion',
  }
}
