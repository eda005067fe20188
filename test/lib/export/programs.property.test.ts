import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportFormats } from '../../../src/lib/export/export-formats.ts'
import { sdkMembers } from '../../../src/lib/export/sdk-modules.ts'
import { javaStubs } from './java-stubs.ts'
import { missing } from './missing.ts'
import { templateValues } from '../../../src/lib/export/template-values.ts'
import type { CloudProfile } from '../../../src/lib/profile/cloud-profile.ts'
import { arbitraryProfile } from '../../support/arbitrary-profile.ts'
import { fc, few } from '../../support/properties.ts'

// The exports that nothing else compiles are run by the real language with a stand-in for its library, and say what they read. One run takes
// many profiles, because starting a compiler takes longer than reading them.

const timeout = 240_000
const render = (format: string, profile: CloudProfile) => exportFormats[format]?.render(profile) ?? ''
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'export-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, text: string): string {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

async function run(command: string, args: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(command, [...args], { cwd: folder, maxBuffer: 1 << 26 })
  return JSON.parse(stdout)
}

const withoutRust = missing('rustc', '--version')
const withoutJava = missing('javac', '-version')

const expectSame = async (
  many: number,
  read: (profiles: readonly CloudProfile[]) => Promise<unknown>,
): Promise<void> => {
  const batch = fc.array(arbitraryProfile, { minLength: many, maxLength: many })
  return fc.assert(
    fc.asyncProperty(batch, async (profiles) => {
      expect(await read(profiles)).toStrictEqual(profiles.map((profile) => expected(profile)))
    }),
    { ...few(1), endOnFailure: true },
  )
}
/** The members that are plain values, under the names of the values. */
const members = sdkMembers
  .slice(
    0,
    sdkMembers.findIndex(({ offers }) => offers.startsWith('a credential')),
  )
  .filter(({ typescript }) => typescript !== 'disableChallengeResourceVerification')
  .map((member) => ({ ...member, name: member.typescript === 'authorityHost' ? 'authority' : member.typescript }))
const expected = (profile: CloudProfile) => {
  const values = templateValues(profile)
  return Object.fromEntries(members.map(({ name }) => [name, values[name]]))
}

describe('what a program reads is what the profile says', () => {
  test.skipIf(withoutJava)(`Java${withoutJava}`, { timeout }, async () => {
    expect.hasAssertions()
    for (const [name, text] of Object.entries(javaStubs)) write(`java/stubs/com/azure/identity/${name}.java`, text)
    const main = write('java/Main.java', javaMain)
    await expectSame(8, async (profiles) => {
      profiles.forEach((profile, index) => write(`java/c${index}/Cloud.java`, render('java', profile)))
      return run('java', [main, join(folder, 'java'), String(profiles.length)])
    })
  })

  test.skipIf(withoutRust)(`Rust${withoutRust}`, { timeout }, async () => {
    expect.hasAssertions()
    const compile = (args: readonly string[]) =>
      promisify(execFile)('rustc', ['--edition=2021', ...args], { cwd: folder })
    const library = (name: string, text: string, more: readonly string[] = []) =>
      compile(['--crate-type=rlib', `--crate-name=${name}`, ...more, write(`rust/${name}.rs`, text)])
    await library('azure_core', azureCoreStub)
    await library('azure_identity', azureIdentityStub, ['-L', folder, '--extern', 'azure_core'])
    await expectSame(12, async (profiles) => {
      const indexes = [...profiles.keys()]
      profiles.forEach((profile, index) => write(`rust/c${index}.rs`, render('rust', profile)))
      const rows = indexes.map((index) => {
        const texts = members.flatMap(({ name, rust }) =>
          name === 'disableInstanceDiscovery' ? [] : `("${name}", c${index}::${rust})`,
        )
        return `row(&[${texts.join(', ')}], c${index}::DISABLE_INSTANCE_DISCOVERY)`
      })
      const main = `${indexes.map((index) => `mod c${index};`).join('\n')}\n${rustMain}
fn main() {
    assert_eq!(c0::storage_url("my-account").unwrap(), format!("https://my-account{}/", c0::STORAGE_SUFFIX));
    for bad in ["evil.test/", "", "-a", "a-", "\u{e9}"] { assert!(c0::key_vault_url(bad).is_err()); }
    print!("[{}]", [${rows.join(', ')}].join(","));
}
`
      await compile(['-L', folder, '--extern', 'azure_core', '--extern', 'azure_identity', write('rust/main.rs', main)])
      return run(join(folder, 'main'), [])
    })
  })
})

const azureCoreStub = `pub mod cloud {
    #[derive(Default)] pub struct CustomConfiguration { pub authority_host: String, pub audiences: u8 }
    pub enum CloudConfiguration { Custom(CustomConfiguration) }
    impl From<CustomConfiguration> for CloudConfiguration { fn from(custom: CustomConfiguration) -> Self { Self::Custom(custom) } }
}
pub mod credentials { pub struct Secret(pub String); impl Secret { pub fn new(secret: impl Into<String>) -> Self { Self(secret.into()) } } }
pub mod http { #[derive(Default)] pub struct ClientOptions { pub cloud: Option<std::sync::Arc<super::cloud::CloudConfiguration>>, pub other: u8 } }
`
const azureIdentityStub = `use azure_core::{credentials::Secret, http::ClientOptions};
use std::sync::Arc;
pub struct ClientSecretCredential;
pub struct ClientSecretCredentialOptions { pub client_options: ClientOptions }
impl ClientSecretCredential {
    pub fn new(_tenant: &str, _client: String, _secret: Secret, _options: Option<ClientSecretCredentialOptions>) -> Result<Arc<Self>, std::io::Error> { Ok(Arc::new(Self)) }
}
`
const rustMain = `fn json(text: &str) -> String {
    let units = text.encode_utf16().map(|unit| format!("\\\\u{unit:04x}")).collect::<String>();
    format!("\\"{units}\\"")
}
fn row(texts: &[(&str, &str)], disabled: bool) -> String {
    let cells: Vec<String> = texts.iter().map(|(key, value)| format!("{}:{}", json(key), json(value))).collect();
    format!("{{{},{}:{disabled}}}", cells.join(","), json("disableInstanceDiscovery"))
}`

const javaMain = `import java.io.*; import java.net.*; import java.nio.file.*; import java.util.*; import javax.tools.*;
public class Main {
  static String json(Object value) {
    if (value instanceof Boolean) return value.toString();
    StringBuilder out = new StringBuilder("\\"");
    for (char c : value.toString().toCharArray()) out.append(c > 31 && c < 127 && c != '"' && c != '\\\\' ? "" + c : String.format("\\\\u%04x", (int) c));
    return out.append('"').toString();
  }
  public static void main(String[] args) throws Exception {
    File root = new File(args[0]);
    String stubs = new File(root, "stubs").getPath();
    List<String> rows = new ArrayList<>();
    for (int index = 0; index < Integer.parseInt(args[1]); index++) {
      File folder = new File(root, "c" + index);
      int code = ToolProvider.getSystemJavaCompiler().run(null, System.err, System.err, "-proc:none", "-encoding", "US-ASCII", "-Xlint:none",
        "-sourcepath", stubs, "-d", folder.getPath(), new File(folder, "Cloud.java").getPath());
      if (code != 0) throw new IllegalStateException("does not compile");
      try (URLClassLoader loader = new URLClassLoader(new URL[] { folder.toURI().toURL() }, null)) {
        Class<?> cloud = loader.loadClass("Cloud");
        List<String> cells = new ArrayList<>();
        for (String[] name : new String[][] {${members.map(({ name, java }) => `{"${name}", "${java}"}`).join(', ')}})
          cells.add(json(name[0]) + ":" + json(cloud.getField(name[1]).get(null)));
        Map<?, ?> endpoints = (Map<?, ?>) cloud.getField("ENDPOINTS").get(null);
        if (!cloud.getField("AUTHORITY_HOST").get(null).equals(endpoints.get("activeDirectoryEndpointUrl"))) throw new IllegalStateException("endpoints");
        rows.add("{" + String.join(",", cells) + "}");
      }
    }
    System.out.println("[" + String.join(",", rows) + "]");
  }
}`
