import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { profileDocument } from '../../../test/support/profile-document.ts'
import { findingsIn, scanTreeOf } from './scan-tree-of.ts'

describe('a value of a cloud', () => {
  test.each<[file: string, line: string, found: string]>([
    [
      'a.go',
      'u := fmt.Sprintf("https://%s.blob.core.windows.net", name)',
      'HARDCODED_HOST a.go:1 blob.core.windows.net',
    ],
    ['a.py', 'url = f"https://{account}.queue.core.windows.net/x"', 'HARDCODED_HOST a.py:1 queue.core.windows.net'],
    ['a.ts', 'const host = `${name}.vault.azure.net`', 'HARDCODED_HOST a.ts:1 vault.azure.net'],
    [
      'a.ts',
      String.raw`const isVault = /\.vault\.azure\.net$/.test(host)`,
      String.raw`HARDCODED_HOST a.ts:1 vault\.azure\.net`,
    ],
    [
      'a.json',
      String.raw`{"pattern": "\\.vault\\.azure\\.net$"}`,
      String.raw`HARDCODED_HOST a.json:1 vault\\.azure\\.net`,
    ],
    ['a.java', 'String h = "LOGIN.MicrosoftOnline.com";', 'HARDCODED_HOST a.java:1 LOGIN.MicrosoftOnline.com'],
    ['a.yaml', 'url: https://contoso.azurewebsites.us/', 'HARDCODED_HOST a.yaml:1 contoso.azurewebsites.us'],
    ['a.conf', 'redirect=https%3A%2F%2Flogin.chinacloudapi.cn%2F', 'HARDCODED_HOST a.conf:1 login.chinacloudapi.cn'],
    ['Dockerfile', 'FROM contoso.azurecr.io/base:1', 'HARDCODED_HOST Dockerfile:1 contoso.azurecr.io'],
    ['a.py', 'scope = "https://management.azure.com/.default"', 'HARDCODED_AUDIENCE a.py:1 management.azure.com'],
    ['a.cs', 'var audience = "https://vault.azure.net";', 'HARDCODED_AUDIENCE a.cs:1 vault.azure.net'],
    [
      'a.go',
      'const r = "https://ossrdbms-aad.database.windows.net"',
      'HARDCODED_AUDIENCE a.go:1 ossrdbms-aad.database.windows.net',
    ],
    ['a.ts', "const apis = ['azmk8s.io']", 'HARDCODED_HOST a.ts:1 azmk8s.io'],
    ['a.yaml', 'server: https://x.hcp.westus.azmk8s.io:443', 'HARDCODED_HOST a.yaml:1 x.hcp.westus.azmk8s.io'],
    ['a.yaml.j2', 'url: https://{{ name }}.vault.azure.net', 'HARDCODED_HOST a.yaml.j2:1 vault.azure.net'],
    ['a.tf.tmpl', 'url = "https://${name}.vault.azure.net"', 'HARDCODED_HOST a.tf.tmpl:1 vault.azure.net'],
    [
      'charts/a/templates/_names.tpl',
      '{{- printf "%s.azurecr.io" .Values.name }}',
      'HARDCODED_HOST charts/a/templates/_names.tpl:1 azurecr.io',
    ],
    [
      'a.py',
      'r = get_token("https://servicebus.windows.net//.default")',
      'HARDCODED_AUDIENCE a.py:1 servicebus.windows.net',
    ],
    ['a.ts', "const isPostgres = host.endsWith('.database.azure.com')", 'HARDCODED_HOST a.ts:1 database.azure.com'],
    ['a.tf', 'audience = ["api://AzureADTokenExchange"]', 'HARDCODED_AUDIENCE a.tf:1 api://AzureADTokenExchange'],
    ['a.py', 'u = "https://x.webpubsub.azure.com"', 'HARDCODED_HOST a.py:1 x.webpubsub.azure.com'],
    ['a.go', 'u := "https://api.botframework.com"', 'HARDCODED_HOST a.go:1 api.botframework.com'],
  ])('in %s: %s', async (file, line, found) => {
    expect(await findingsIn({ [file]: `${line}\n` })).toEqual([`error ${found}`])
  })

  test.each([
    [
      'an identifier that is the same in every cloud',
      'a.json',
      '{ "$schema": "https://schema.management.azure.com/schemas/x#" }',
    ],
    ['another host', 'a.ts', "const x = 'https://core.windows.net.example/'"],
    ['a longer label', 'a.ts', "const x = 'https://xvault.azure.net-x.example/'"],
    ['the audience that all clouds share', 'a.ts', "const scope = 'https://storage.azure.com/.default'"],
    ['a link to documentation', 'a.ts', "const help = 'https://learn.microsoft.com/azure/blob.core.windows.net'"],
    ['a network tag', 'a.tf', 'destination_address_prefix = "AzureCloud"'],
    ['a comparison of names', 'a.py', 'if cloud == "AzureCloud": pass'],
    ['a variable that is called like a cloud', 'a.java', 'private AzureVMCloud azureCloud = getCloud();'],
    ['a field that is called like a cloud', 'a.go', 'cloud, err := readString(settings, "azureCloud")'],
    ['an identifier that is called like a cloud', 'a.go', 's.Cloud = firstOf(AzureCloud, fallback)'],
  ])('%s is nothing', async (_title, file, line) => {
    expect(await findingsIn({ [file]: `${line}\n` })).toEqual([])
  })

  test('names the place in characters, whatever bytes stand before it', async () => {
    const { findings } = await scanTreeOf({ 'a.ts': "// é\nconst ü = '😀', url = 'https://x.vault.azure.net'\r\n" })
    expect(findings).toMatchObject([
      { line: 2, column: 32, value: 'x.vault.azure.net', service: 'key-vault', cloud: 'public' },
    ])
  })

  test('is in its line, with carriage returns at the ends', async () => {
    const text = "// a\r\n// b\r\nconst u = 'x.vault.azure.net'\r\n"
    expect(await findingsIn({ 'a.ts': text })).toEqual(['error HARDCODED_HOST a.ts:3 x.vault.azure.net'])
  })

  test('in UTF-16 is found, with and without its mark; a file in UTF-32 is binary', async () => {
    const text = Buffer.from("# Комментарий на русском языке\r\n$url = 'https://x.vault.azure.net'\r\n", 'utf16le')
    const { findings, counts } = await scanTreeOf({
      'a.ps1': text,
      'b.ps1': Buffer.concat([Buffer.from([0xff, 0xfe]), text]),
      'c.ps1': Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text).swap16()]),
      'd.ps1': Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), text]),
    })
    expect({ found: findings.length, binary: counts.binary }).toEqual({ found: 3, binary: 1 })
  })
})

test.each([
  ['a.ts', "const u = 'https://x.nowhere.azure.com/'", 'x.nowhere.azure.com'],
  ['a.py', 'scope = "https://newthing.azure.net/.default"', 'newthing.azure.net'],
])('a host of a known zone that no list names is a note: %s', async (file, line, value) => {
  const { findings } = await scanTreeOf({ [file]: `${line}\n` })
  expect(findings.map((each) => [each.level, each.service, each.value])).toEqual([['note', 'unlisted', value]])
})

describe('a table of clouds', () => {
  const table = ['core.windows.net', 'core.usgovcloudapi.net', 'core.chinacloudapi.cn']

  test('is no finding', async () => {
    const rows = table.map((host, index) => `  cloud${index}: 'https://x.blob.${host}',\n`)
    expect(await findingsIn({ 'a.ts': `const hosts = {\n${rows.join('')}}\n` })).toEqual([])
  })

  test.each([
    ['two hosts', 'a.ts', `const hosts = ['${table[0]}', '${table[1]}']`, 'error', table[0]],
    [
      'a condition',
      'a.cs',
      `var s = isGov ? ".vault.usgovcloudapi.net" : ".vault.azure.net";`,
      'error',
      'vault.usgovcloudapi.net',
    ],
    [
      'a branch',
      'a.py',
      `if gov:\n    h = "login.microsoftonline.us"\nelse:\n    h = "login.microsoftonline.com"`,
      'error',
      'login.microsoftonline.us',
    ],
    [
      'names that are compared',
      'a.go',
      `if env == "AzureUSGovernment" {\n} else if env == "AzureCloud" {\n}`,
      'warning',
      'AzureUSGovernment',
    ],
    [
      'a list of what is allowed',
      'a.ps1',
      `[ValidateSet('AzureCloud', 'AzureUSGovernment', 'AzureChinaCloud')]\n[string]$Environment = 'AzureCloud'`,
      'warning',
      'AzureCloud',
    ],
    [
      'an @allowed list',
      'a.bicep',
      `@allowed([\n  'AzureCloud'\n  'AzureUSGovernment'\n])\nparam cloud string = 'AzureCloud'`,
      'warning',
      'AzureCloud',
    ],
    [
      'choices',
      'a.py',
      `add("--cloud", choices=["AzureCloud", "AzureUSGovernment", "AzureChinaCloud"], default="AzureCloud")`,
      'warning',
      'AzureCloud',
    ],
  ])('of which no third cloud is reached is one finding: %s', async (_title, file, text, level, value) => {
    const { findings } = await scanTreeOf({ [file]: `${text}\n` })
    expect(findings.map((each) => [each.rule, each.level, each.value])).toEqual([['ENUMERATED_CLOUDS', level, value]])
  })

  test('of two clouds in a file that reads a cloud from elsewhere is no selection', async () => {
    const text = `h := map[string]string{"a": "${table[1]}", "b": "${table[0]}"}\nc, _ := azure.EnvironmentFromURL(u)\n`
    expect(await findingsIn({ 'a.go': text })).not.toContainEqual(expect.stringContaining('ENUMERATED_CLOUDS'))
  })

  test('does not excuse a value far below it', async () => {
    const rows = table.map((host) => `  '${host}',\n`)
    const text = `const hosts = [\n${rows.join('')}]\n${'\n'.repeat(30)}const url = 'https://x.blob.core.windows.net'\n`
    expect(await findingsIn({ 'a.ts': text })).toEqual(['error HARDCODED_HOST a.ts:36 x.blob.core.windows.net'])
  })

  test('may be written as blocks, a block a cloud', async () => {
    const block = (login: string, vault: string, core: string) =>
      `{\n  login: '${login}',\n${'  // more\n'.repeat(20)}  vault: '${vault}',\n  core: '${core}',\n},\n`
    const text = [
      block('login.microsoftonline.com', 'vault.azure.net', 'core.windows.net'),
      block('login.microsoftonline.us', 'vault.usgovcloudapi.net', 'core.usgovcloudapi.net'),
      block('login.chinacloudapi.cn', 'vault.azure.cn', 'core.chinacloudapi.cn'),
    ]
    expect(await findingsIn({ 'a.ts': text.join('') })).toEqual([])
  })

  test.each([
    ['files', (cloud: string) => `environments/azure_${cloud}.go`],
    ['folders', (cloud: string) => `clouds/${cloud}/values.yaml`],
  ])('may be a set of %s, one a cloud', async (_title, pathOf) => {
    const files = {
      [pathOf('public')]: `a: "${table[0]}"\nb: "${table[1]}"\n`,
      [pathOf('usgov')]: `a: "${table[1]}"\n`,
      [pathOf('china')]: `a: "${table[2]}"\n`,
    }
    expect(await findingsIn(files)).toEqual([`error HARDCODED_HOST ${pathOf('public')}:2 ${table[1]}`])
  })

  test('may be a file or folder that is named for its cloud; the public one only beside another', async () => {
    const line = `a: ${table[0]}\n`
    const files = {
      'a-public.yaml': line,
      'b-public.yaml': line,
      'a-usgov.yaml': `a: ${table[1]}\n`,
      'mc-b.yaml': `a: ${table[2]}\n`,
    }
    expect(await findingsIn(files)).toEqual([`error HARDCODED_HOST b-public.yaml:1 ${table[0]}`])
  })

  test('of names chooses none', async () => {
    const text = `switch name {
case "AZURECLOUD", "AZUREPUBLICCLOUD", "":
	return cloud.AzurePublic, nil
case "AZUREUSGOVERNMENT", "AZUREUSGOVERNMENTCLOUD":
	return cloud.AzureGovernment, nil
case "AZURECHINACLOUD":
	return cloud.AzureChina, nil
}
`
    expect(await findingsIn({ 'a.go': text })).toEqual([])
  })

  test.each([
    [
      'default branch',
      `	switch e {
	case one:
		u = azure.PublicCloud.KeyVaultEndpoint
	case two:
		u = azure.USGovernmentCloud.KeyVaultEndpoint
	case three:
		u = azure.ChinaCloud.KeyVaultEndpoint
	case four:
		// The old library does not know it.
		// Nothing is returned.
		u = ""
	default:
		u = azure.PublicCloud.KeyVaultEndpoint
	}`,
    ],
    [
      'last statement',
      `	switch e {
	case one:
		return cloud.AzurePublic
	case two:
		return cloud.AzureGovernment
	case three:
		return cloud.AzureChina
	case four:
		log.Print("unknown")
		log.Print("using the default")
	}
	return cloud.AzurePublic`,
    ],
  ])('has a %s that repeats a value', async (_title, body) => {
    expect(await findingsIn({ 'a.go': `func f(e string) any {\n${body}\n}\n` })).toEqual([])
    const apart = `func f(e string) any {\n${body}\n}\n\n\n\n\nfunc g() any {\n	return cloud.AzurePublic\n}\n`
    expect(await findingsIn({ 'a.go': apart })).toHaveLength(1)
  })

  test('in a comment excuses no value of the code beside it', async () => {
    const comments = table.slice(1).map((host) => `/// Or ${host}.\n`)
    const found = await findingsIn({ 'A.cs': `${comments.join('')}string suffix = "${table[0]}";\n` })
    expect(found.filter((finding) => finding.startsWith('error'))).toEqual([`error HARDCODED_HOST A.cs:3 ${table[0]}`])
  })

  test('is what a cloud profile is: its own file is no finding', async () => {
    const profile = resolveCloudProfile({ name: 'platform-commercial', env: {} })
    expect(await findingsIn({ 'enclave.json': JSON.stringify(profile, undefined, 2) })).toEqual([])
  })
})

describe('a name of a cloud', () => {
  test.each([
    ['a.yaml', 'AZURE_ENVIRONMENT: AzurePublicCloud', 'AzurePublicCloud'],
    ['a.sh', 'az cloud set --name AzureCloud', 'AzureCloud'],
    ['a.sh', 'export ARM_ENVIRONMENT=public', 'public'],
    ['a.sh', 'cloud="${AZURE_CLOUD:-AzureCloud}"', 'AzureCloud'],
    ['a.ps1', '[string]$Environment = "AzureCloud"', 'AzureCloud'],
    ['a.py', 'cloud = os.environ.get("CLOUD", "AzureCloud")', 'AzureCloud'],
    ['a.py', 'credential = X(authority=AzureAuthorityHosts.AZURE_PUBLIC_CLOUD)', 'AZURE_PUBLIC_CLOUD'],
    ['a.cs', 'options.AuthorityHost = AzureAuthorityHosts.AzurePublicCloud;', 'AzurePublicCloud'],
    ['a.java', 'new AzureProfile(AzureEnvironment.AZURE)', 'AZURE'],
    ['a.go', 'opts.Cloud = cloud.AzurePublic', 'AzurePublic'],
    ['a.go', 'run("az cloud set --name AzureCloud")', 'AzureCloud'],
    ['a.ps1', "$azEnv = 'AzureCloud'", 'AzureCloud'],
    ['a.yaml', 'env:\n  - name: AZURE_ENVIRONMENT\n    value: AzurePublicCloud', 'AzurePublicCloud'],
    ['action.yml', 'inputs:\n  ENVIRONMENT:\n    required: false\n    default: "AzureCloud"', 'AzureCloud'],
    ['a.json', '{\n  "environment": {\n    "type": "string",\n    "defaultValue": "AzureCloud"\n  }\n}', 'AzureCloud'],
    ['a.pkr.hcl', 'cloud_environment_name = "Public"', 'Public'],
    ['action.yml', 'with:\n  environment: azurecloud', 'azurecloud'],
    [
      'application.yml',
      'spring:\n  cloud:\n    azure:\n      profile:\n        cloud-type: azure_us_government',
      'azure_us_government',
    ],
    ['store.yaml', 'environmentType: USGovernmentCloud', 'USGovernmentCloud'],
    ['a.ps1', 'Connect-MgGraph -Scopes $s -Environment Global', 'Global'],
    ['a.cs', 'var o = new SearchClientOptions { Audience = SearchAudience.AzurePublicCloud };', 'AzurePublicCloud'],
    ['a.tf', 'provider "azurerm" {\n  features {}\n  environment = "public"\n}', 'public'],
    [
      'a.tf',
      'provider "azurerm" {\n  metadata_host = "x"\n}\nvariable "environment" {\n  default = "usgovernment"\n}',
      'usgovernment',
    ],
  ])('%s: %s', async (file, text, value) => {
    const { findings } = await scanTreeOf({ [file]: `${text}\n` })
    expect(findings.map((finding) => [finding.rule, finding.level, finding.value])).toEqual([
      ['HARDCODED_CLOUD_NAME', 'error', value],
    ])
  })
})

describe('what is no program', () => {
  const url = 'https://x.vault.azure.net'

  test.each([
    ['a.md', url],
    ['a.go', `// ${url}`],
    ['a.go', `/*\n ${url}\n*/`],
    ['a.py', `def f():\n    """Asks ${url}."""`],
    ['a.py', `x = 1  # ${url}`],
    ['a.ps1', `<#\n${url}\n#>`],
    ['a.tf', `variable "x" {\n  description = "Such as ${url}"\n}`],
    ['a.tf', `variable "x" {\n  description = <<-EOT\n    ${url}\n  EOT\n}`],
    ['a.yaml', `example: |\n  a\n  ${url}`],
    ['a.py', `parser.add_argument("--url", help="such as ${url}")`],
    ['a.go', `log.Warn("endpoint not provided, assuming the default ${url}")`],
    ['a.go', `log.Info("the suffix '${url}' will be added automatically")`],
    ['a.py', `raise ValueError(f"this isn't a valid address, use {name} or ${url}")`],
    ['a.c', `"Ingestion endpoint URI (e.g. "\n"${url})"`],
    ['a.cs', `throw new Exception("The vault must be below " +\n    "this host, such as ${url}");`],
    ['a_test.go', `var u = "${url}"`],
    ['test/a.ts', `const u = '${url}'`],
    ['src/a.test.ts', `const u = '${url}'`],
    ['src/AzureTest.java', `String u = "${url}";`],
    ['Contoso.Tests/A.cs', `var u = "${url}";`],
    ['fixtures/a.json', `{"u":"${url}"}`],
    ['examples/a.py', `u = "${url}"`],
    ['config.example.yaml', `u: ${url}`],
    ['migrations/testcases/one/expected.conf', `u: ${url}`],
    ['deploy/main.test.parameters.json', `{"u":"${url}"}`],
    ['recordings/one.yaml', `uri: ${url}`],
    ['bicepconfig.json', `{"disallowedHosts": ["${url}"]}`],
    ['a/src/it/one/pom.xml', `<url>${url}</url>`],
    ['a.ps1', `Write-Information "The vault must be below this host: ${url}"`],
    ['test_one.yaml', `uri: ${url}`],
    ['web/locales/ja.json', `{"a":"${url}"}`],
    ['Resources.cs-CZ.json', `{"a":"${url}"}`],
    ['a.json', `{"readme.md": "a \\"b\\" it's ${'x '.repeat(200)}\\"h\\": \\"${url}\\""}`],
    ['a.json', `{"text":"保管庫のアドレス ${url}"}`],
    ['a.json', `{"markdownText":"${'# Title\\n'.repeat(60)}${url}"}`],
    ['a.json', `{"text":"${'x '.repeat(300)} the vault of the whole team is ${url}"}`],
    ['a.py', `f(\n    "Take the endpoint of the project, e.g. "\n    "'${url}'.",\n)`],
    ['a.rs', `#[cfg(test)]\nmod tests {\n    fn f() {\n        g("${url}");\n    }\n}`],
    ['a.yaml.j2', `{# such as ${url} #}`],
    ['a.conf.jinja2', `{#\n${url}\n#}`],
    ['charts/a/templates/a.yaml', `{{- /*\n${url}\n*/ -}}`],
    ['charts/a/templates/_names.tpl', `{{/* such as ${url} */}}`],
    ['a.yaml.gotmpl', `# such as ${url}`],
    ['main.tf.tmpl', `# such as ${url}`],
    ['a.erb', `<%# such as ${url} %>`],
    ['a.go', `	Help: \`Skips the request.\n\nIt asks \` + "\`${url}\`" + \` before.\`,`],
    ['a.go', `	Description: "Skips " +\n		"\`${url}\`",`],
    // A quote in a raw string, a template in a template, a quote in a regular expression: the comment behind it is one.
    ['a.go', 'a := `C:\\`\n// ' + url + '\nb := `x`'],
    ['a.js', 'const a = b.split(/[`/]/)\n// ' + url + '\nconst c = `x`'],
    ['plugins/modules/a.py', `RETURN = '''\nstate:\n    sample: {\n        "u": "${url}"\n    }\n'''`],
    ['lib/Contoso.xml', `<?xml version="1.0"?>\n<doc>\n    <assembly></assembly>\n<c>${url}</c></doc>`],
    ['Contoso.Samples/a.cs', `var u = "${url}";`],
    ['pkg/internal/testutils/a.go', `var u = "${url}"`],
    ['azure/src/integration/java/A.java', `String u = "${url}";`],
    ['src/TestVault.java', `String u = "${url}";`],
    ['tools/test-installer.bat', `call run --vault ${url}`],
    ['.lycheeignore', url],
  ])('%s: a note', async (file, text) => {
    const { findings } = await scanTreeOf({ [file]: `${text}\n` })
    expect(findings.map(({ level, value }) => `${level} ${value}`)).toEqual(['note x.vault.azure.net'])
  })

  test.each([
    ['a.py', `x = f(\n    """${url}"""\n)`],
    ['a.py', `x = """\n${url}\n"""`],
    ['a.ts', `const u = 'http://' + '${url}' // a comment behind it`],
    ['a.go', 'r := `\n  # no comment\n  https://x.vault.azure.net`'],
    ['a.yaml', `url: ${url} # a comment behind it`],
    ['a.tf', `user_data = <<-EOT\n  # a line of the script, ${url}\n  EOT`],
    ['a.ps1', `Invoke-RestMethod page#${url}`],
    ['a.sh', `curl page#${url}`],
    ['a.yaml', `url: page#${url}`],
    ['a.ini', `url = page#${url}`],
    ['a.ts', `run("az keyvault secret show --id ${url}")`],
    ['a.py', `run("curl and then more words -H ${url}")`],
    ['a.cs', `var c = "Driver={ODBC Driver 18 for SQL Server};Server=${url}";`],
    ['a.ts', `html('<a href="${url}">open the key vault in the portal</a>')`],
    ['a.yaml', `run: echo "uploading to the vault" ${url}`],
    ['latest/a.ts', `const u = '${url}'`],
    ['a/src/items/pom.xml', `<url>${url}</url>`],
    ['a.ps1', `Invoke-RestMethod -Method Get -Uri "${url}/secrets"`],
    ['a.json', `{"description": "The vault", "url": "${url}"}`],
    ['a.ts', `const options = { help: 'x', url: '${url}' }`],
    ['a.json', `{"query":"${'| where a == b '.repeat(40)} | extend c = d externaldata(e) [@'${url}']"}`],
    ['a.json', `{"command":"${'x '.repeat(300)}${url}"}`],
    ['a.rs', `#[cfg(test)]\nmod tests {\n    fn f() {}\n}\nconst U: &str = "${url}";`],
    ['a.go', `	Help: "Skips " + \`it\`,\n	Url: "${url}",`],
    ['src/contest.ts', `const u = '${url}'`],
    ['a.ts', `const a = b / 2; const u = '${url}' // the half / of it`],
    ['tools/Test-Vault.ps1', `$u = '${url}'`],
    ['src/Contest.java', `String u = "${url}";`],
    ['a.py', `VALUE = '''\nu: ${url}\n'''`],
    ['a.xml', `<doc><u>${url}</u></doc>`],
    ['a.ts', `const u = 'https://<a>.x.vault.azure.net'.replace('<a>.', 'https://')`],
  ])('%s: an error', async (file, text) => {
    const { findings } = await scanTreeOf({ [file]: `${text}\n` })
    expect(findings.map(({ level, value }) => `${level} ${value}`)).toEqual(['error x.vault.azure.net'])
  })

  test('a pipeline of the maintainers is a warning, by its path or by its content', async () => {
    const files = {
      '.gitlab-ci.yml': `deploy:\n  url: ${url}\n`,
      'build/nightly.yaml': `trigger: none\nsteps:\n  - script: curl ${url}\n`,
      'deploy/values.yaml': `resources: {}\nurl: ${url}\n`,
    }
    const { findings } = await scanTreeOf(files)
    expect(findings.map(({ level }) => level)).toEqual(['warning', 'warning', 'error'])
  })

  test('vendored and generated files are counted, and not reported', async () => {
    const { findings, counts } = await scanTreeOf({
      'vendor/a.go': `var u = "${url}"`,
      'web/node_modules/x/a.js': `const u = '${url}'`,
      'a.pb.go': `var u = "${url}"`,
      'b.go': `// Code generated by a tool. DO NOT EDIT.\nvar u = "${url}"`,
      'c.cs': `// <auto-generated />\nvar u = "${url}";`,
      '.gitattributes': 'gen/** linguist-generated\n*.lib.js linguist-vendored\nown/*.lib.js -linguist-vendored\n',
      'gen/a.ts': `const u = '${url}'`,
      'a.lib.js': `const u = '${url}'`,
      'own/b.lib.js': `const u = '${url}'`,
      'azuredeploy.json': `{ "metadata": { "_generator": { "name": "bicep" } }, "u": "${url}" }`,
      'public_suffix_list.dat': `azurewebsites.net\n`,
    })
    expect(findings.map(({ path }) => path)).toEqual(['own/b.lib.js'])
    expect(counts).toMatchObject({ vendored: 4, generated: 5 })
  })
})

describe('--for a profile', () => {
  const files = {
    'a.go':
      'var a = "https://x.vault.azure.net"\nvar b = "https://x.vault.usgovcloudapi.net"\nvar c = "https://login.microsoftonline.us/"\n',
    'b.py': 'scope = "https://storage.azure.com/.default"\n',
    'c.sh': 'az cloud set --name AzureUSGovernment\n' + '\n'.repeat(20) + 'az cloud set --name AzureCloud\n',
  }

  test('of a known cloud: its values are right, all others are foreign', async () => {
    const profile = resolveCloudProfile({ name: 'platform-us-government', env: {} })
    expect(await findingsIn(files, { profile })).toEqual([
      'error HARDCODED_HOST a.go:1 x.vault.azure.net',
      'error HARDCODED_CLOUD_NAME c.sh:22 AzureCloud',
    ])
  })

  test('of a private cloud: its values are right, the fix names its value and field', async () => {
    const document = profileDocument()
    const profile = parseCloudProfile({
      ...document,
      serviceDnsSuffixes: { ...document.serviceDnsSuffixes, keyVault: '.vault.azure.net' },
      serviceAudiences: { ...document.serviceAudiences, storage: 'https://storage.enclave.example/' },
    })
    const { findings } = await scanTreeOf(files, { profile })
    expect(findings.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'a.go:2',
      'a.go:3',
      'b.py:1',
      'c.sh:1',
      'c.sh:22',
    ])
    expect(findings[0]?.fix.text).toContain('In this profile serviceDnsSuffixes.keyVault is .vault.azure.net')
    expect(findings[2]).toMatchObject({ rule: 'HARDCODED_AUDIENCE', level: 'error' })
    expect(findings[2]?.fix.text).toContain('serviceAudiences.storage is https://storage.enclave.example/')
  })
})

test('a comment with a reason leaves its line and the next one out; one without a reason does not', async () => {
  const text = `const a = 'x.vault.azure.net' // cloud-profile-ignore: the feed of the vendor
// cloud-profile-ignore: a table of two clouds
const b = 'x.vault.azure.net'
// cloud-profile-ignore:
const c = 'x.vault.azure.net'
const d = 'cloud-profile-ignore: no comment'; const e = 'x.vault.azure.net'
`
  const { findings, counts } = await scanTreeOf({ 'a.ts': text })
  expect(findings.map(({ line }) => line)).toEqual([5, 6])
  expect(counts.ignored).toBe(2)
})

test('findings keep no text of their files in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const heapUsed = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const text = `const { host } = url\nconst vault = \`https://\${name}.vault.azure.net/\`\n${'// one more line\n'.repeat(50_000)}`
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.ts`, text]))
  const before = heapUsed()
  const { findings } = await scanTreeOf(files)
  expect(heapUsed() - before).toBeLessThan((30 * text.length) / 4)
  expect(findings).toHaveLength(30)
})
