import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { exportFormats } from '../../../src/lib/export/export-formats.ts'
import { sdkLanguages, sdkMembers } from '../../../src/lib/export/sdk-modules.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { javaStubs } from './java-stubs.ts'
import { missing } from './missing.ts'
import { enclave, government, hostile, stack, unvalidated } from './profiles.ts'

const exportOf = (name: string) => {
  const format = exportFormats[name]
  if (format === undefined) throw new Error(`There is no export ${name}`)
  return format
}
const dotnetExport = exportOf('dotnet')
const pythonExport = exportOf('python')
const typescriptExport = exportOf('typescript')
const javaExport = exportOf('java')
const run = promisify(execFile)
const nodeModules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const profiles = { government, enclave, stack, hostile, unvalidated }
const directory = useTemporaryDirectory()
const folder = directory.path
symlinkSync(nodeModules, join(folder, 'node_modules'))

describe('typescript', () => {
  test('compiles strictly for every profile', async () => {
    const files = Object.entries(profiles).map(([name, profile]) => {
      directory.write(`${name}.ts`, typescriptExport.render(profile))
      return `${name}.ts`
    })
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      skipLibCheck: true,
    }
    directory.write('package.json', '{"type":"module"}')
    directory.write('tsconfig.json', JSON.stringify({ compilerOptions: options, files }))
    await expect(run(join(nodeModules, '.bin', 'tsc'), ['-p', folder])).resolves.toMatchObject({ stdout: '' })
  })

  test('has both settings of a private cloud', async () => {
    directory.write('run.ts', typescriptExport.render(stack))
    const { cloud, createCredential, credentialOptions, keyVaultUrl } = (await import(join(folder, 'run.ts'))) as {
      cloud: Record<string, unknown>
      credentialOptions: object
      keyVaultUrl: (name: string) => string
      createCredential: (env: Record<string, string>) => object
    }
    expect(cloud).toMatchObject({
      authorityHost: 'https://adfs.stack.test/',
      disableInstanceDiscovery: true,
      resourceManagerScope: `${stack.resourceManagerAudience}.default`,
    })
    expect(credentialOptions).toEqual({ authorityHost: 'https://adfs.stack.test/', disableInstanceDiscovery: true })
    expect(() => createCredential({})).toThrow('PLATFORM_CLIENT_ID is not set')
    expect(keyVaultUrl('my-vault')).toBe('https://my-vault.vault.enclave.test/')
    expect(() => keyVaultUrl('evil.test/')).toThrow('is not the name of a resource')
    expect(createCredential({ PLATFORM_CLIENT_ID: 'app', PLATFORM_CLIENT_SECRET: 'secret' })).toHaveProperty('getToken')
  })
})

describe('dotnet', () => {
  test('has both settings of a private cloud', () => {
    expect(dotnetExport.render(enclave)).toMatch(/AuthorityHost = new Uri\("https:\/\/login\.enclave\.test:8443\/"\);/)
    expect(dotnetExport.render(enclave)).toContain('new T { AuthorityHost = AuthorityHost };')
    expect(dotnetExport.render(enclave)).toMatch(/static readonly bool DisableInstanceDiscovery = true;/)
    // A field that is set to its default value is a warning (CA1805).
    expect(dotnetExport.render(government)).toMatch(
      /static readonly bool DisableInstanceDiscovery = bool\.Parse\("false"\);/,
    )
  })
})

describe('the generated classes', () => {
  const texts = Object.fromEntries(
    sdkLanguages.map((language) => [language, exportFormats[language]?.render(enclave) ?? '']),
  )

  test.each(sdkMembers.flatMap((member) => sdkLanguages.map((language) => [language, member[language]] as const)))(
    '%s offers %s',
    (language, name) => {
      for (const part of name.split('.')) expect(texts[language]).toMatch(new RegExp(`\\b${part}\\b`))
    },
  )
})

describe('a library that is too old to disable instance discovery', () => {
  const tooOld = { ...enclave, authorityHost: 'https://login.enclave.test/' }
  const client = { PLATFORM_TENANT_ID: 't', PLATFORM_CLIENT_ID: 'c', PLATFORM_CLIENT_SECRET: 's' }

  test.each([
    ['1.12.0', tooOld, 'RuntimeError: azure-identity 1.13.0 or later is needed, because 1.12.0 asks the public cloud'],
    ['2.0.0', tooOld, undefined],
    ['1.12.0', stack, undefined],
  ])('is refused in Python only where it would ask: %s', async (version, profile, message) => {
    const home = join(folder, 'python')
    directory.write(
      'python/azure/identity/__init__.py',
      `__version__ = ${JSON.stringify(version)}\nclass ClientSecretCredential:\n    def __init__(self, **options): print(options["authority"])\n`,
    )
    directory.write('python/cloud.py', pythonExport.render(profile))
    const env = { PATH: process.env['PATH'], PYTHONPATH: home, ...client }
    const made = run('python3', ['-B', '-c', 'import cloud; cloud.create_credential()'], { env }).then(
      () => undefined,
      (error: { stderr: string }) => error.stderr.trim().split('\n').at(-1),
    )
    await expect(made).resolves.toBe(message)
  })

  const withoutJava = missing('javac', '-version')
  test.skipIf(withoutJava !== '').each([
    ['1.8.3', enclave, 'azure-identity 1.9.0 or later is needed, because 1.8.3 asks the public cloud'],
    ['1.9.0', enclave, ''],
  ])(`is refused in Java only where it would ask: %s${withoutJava}`, async (version, profile, message) => {
    const home = join(folder, 'java')
    for (const [name, text] of Object.entries(javaStubs)) directory.write(`java/com/azure/identity/${name}.java`, text)
    directory.write('java/azure-identity.properties', `name=azure-identity\nversion=${version}\n`)
    directory.write('java/Cloud.java', javaExport.render(profile))
    directory.write(
      'java/Main.java',
      'class Main { public static void main(String[] args) { try { Cloud.createCredential(); } catch (IllegalStateException error) { System.out.print(error.getMessage()); } } }',
    )
    const env = { PATH: process.env['PATH'], ...client }
    await run('javac', ['-sourcepath', home, '-d', home, join(home, 'Main.java')], { env })
    expect((await run('java', ['-cp', home, 'Main'], { env })).stdout).toBe(message)
  })
})

/** What the module of `export rust` needs of its two crates. */
const rustStubs = {
  azure_core: `pub mod cloud {
    #[derive(Default)] pub struct CustomConfiguration { pub authority_host: String, pub audiences: u8 }
    pub enum CloudConfiguration { Custom(CustomConfiguration) }
    impl From<CustomConfiguration> for CloudConfiguration { fn from(custom: CustomConfiguration) -> Self { Self::Custom(custom) } }
}
pub mod credentials { pub struct Secret(pub String); impl Secret { pub fn new(secret: impl Into<String>) -> Self { Self(secret.into()) } } }
pub mod http { #[derive(Default)] pub struct ClientOptions { pub cloud: Option<std::sync::Arc<super::cloud::CloudConfiguration>>, pub other: u8 } }
`,
  azure_identity: `use azure_core::{credentials::Secret, http::ClientOptions};
use std::sync::Arc;
pub struct ClientSecretCredential;
pub struct ClientSecretCredentialOptions { pub client_options: ClientOptions }
impl ClientSecretCredential {
    pub fn new(_tenant: &str, _client: String, _secret: Secret, _options: Option<ClientSecretCredentialOptions>) -> Result<Arc<Self>, std::io::Error> { Ok(Arc::new(Self)) }
}
`,
}
const withoutRust = missing('rustc', '--version')

test.skipIf(withoutRust !== '')(
  `rust compiles for every profile, says exactly its texts and refuses a name that would change the host${withoutRust}`,
  async () => {
    const compile = (...args: readonly string[]) => run('rustc', ['--edition=2021', '-L.', ...args], { cwd: folder })
    const crates = Object.entries(rustStubs)
    for (const [name, text] of crates) {
      directory.write(`${name}.rs`, text)
      await compile('--crate-type=rlib', ...(name === 'azure_core' ? [] : ['--extern=azure_core']), `${name}.rs`)
    }
    const names = Object.entries(profiles).map(([name, profile]) => {
      directory.write(`${name}.rs`, exportOf('rust').render(profile))
      return name
    })
    const main = `${names.map((name) => `mod ${name};`).join('\n')}
fn main() {
    assert_eq!(enclave::storage_url("my-account").unwrap(), format!("https://my-account{}/", enclave::STORAGE_SUFFIX));
    for bad in ["evil.test/", "", "-a", "a-", "\u{e9}"] { assert!(enclave::key_vault_url(bad).is_err()); }
    print!("{}", unvalidated::TENANT_ID);
}
`
    directory.write('main.rs', main)
    await compile(...crates.map(([name]) => `--extern=${name}`), 'main.rs')
    expect((await run(join(folder, 'main'), [])).stdout).toBe(unvalidated.tenantId)
  },
)
