import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Node, Parser } from '@vscode/tree-sitter-wasm'
import { parse } from 'yaml'
import { beforeAll, describe, expect, test } from 'vitest'
import { identityProviderOf } from '../../../src/lib/profile/identity-provider.ts'
import { azCloud, metadataHostOf } from '../../../src/lib/profile/tool-values.ts'
import { exportFormats } from '../../../src/lib/export/export-formats.ts'
import { recipes } from '../../../src/lib/export/recipes.ts'
import { overrideVariables } from '../../../src/lib/profile/field-path.ts'
import { valueAt } from '../../../src/lib/base/json.ts'
import type { CloudProfile } from '../../../src/lib/profile/cloud-profile.ts'
import { arbitraryProfile } from '../../support/arbitrary-profile.ts'
import { fc, few } from '../../support/properties.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { enclave } from './profiles.ts'
import { recordCalls, sourceShell } from './run-shell.ts'

const all = { ...exportFormats, ...recipes }
const render = (format: string, profile: CloudProfile) => all[format]?.render(profile) ?? ''
const formats = fc.constantFrom(...Object.keys(all))

describe('every export of every profile', () => {
  test('is plain ASCII with one line break at its end', () => {
    fc.assert(
      fc.property(formats, arbitraryProfile, (format, profile) => {
        expect(render(format, profile)).toMatch(/^[\x20-\x7e\n\t]+[\x20-\x7e]\n$/)
        expect(render(format, profile)).not.toMatch(/[ \t]$|[:=] undefined|["']undefined/m)
      }),
    )
  })

  test('has two first lines that no profile can change', () => {
    const head = (format: string, profile: CloudProfile) => render(format, profile).split('\n').slice(0, 2)
    fc.assert(
      fc.property(formats, arbitraryProfile, (format, profile) => {
        expect(head(format, profile)).toStrictEqual(head(format, { ...enclave, tenantId: 'x.test' }))
      }),
    )
  })

  test('holds the text of a profile in comments as letters and digits only', () => {
    fc.assert(
      fc.property(formats, arbitraryProfile, (format, profile) => {
        const line = render(format, profile).match(/^(?:#|\/\/) Profile: (.*)$/m)?.[1] ?? ''
        expect(line).toMatch(/^[A-Za-z0-9 ._/()+?-]*$/)
      }),
    )
  })

  test('holds no control character even when nothing has validated the profile', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 40 })
    fc.assert(
      fc.property(formats, anything, anything, anything, (format, name, tenantId, suffix) => {
        const serviceDnsSuffixes = { ...enclave.serviceDnsSuffixes, storage: suffix, keyVault: suffix }
        const profile = { ...enclave, name, displayName: name, tenantId, serviceDnsSuffixes }
        expect(render(format, profile)).toMatch(/^[\x20-\x7e\n\t]+\n$/)
      }),
    )
  })
})

describe('a POSIX shell', () => {
  test('sourcing env gets the values of the profile', () => {
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        const variables = sourceShell(render('env', profile))
        for (const [variable, path] of Object.entries(overrideVariables)) {
          if (variable === 'PLATFORM_ARM_AUDIENCE' || valueAt(profile, path) === undefined) continue
          expect([variable, variables[variable]]).toStrictEqual([variable, valueAt(profile, path)])
        }
        expect(variables['AZURE_AUTHORITY_HOST']).toBe(identityProviderOf(profile).authorityBase.replace(/\/$/, ''))
      }),
      few(15),
    )
  })

  test.each([
    ['az', 'az', ['cloud register', 'cloud set', 'config set', 'login --use-device-code']],
    ['kubelogin', 'kubectl', ['config set-credentials']],
  ])('running %s calls nothing but what is meant', (format, command, calls) => {
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        const recorded = recordCalls(render(format, profile), command, { KUBE_USER: 'somebody' })
        expect(recorded.map((words) => words.slice(0, 2).join(' '))).toStrictEqual(calls)
        expect(recorded.flat().join('\n')).toContain(
          format === 'az'
            ? profile.resourceManagerEndpoint.replace(/\/$/, '')
            : identityProviderOf(profile).authorityBase.replaceAll('"', '""'),
        )
      }),
      few(15),
    )
  })
})

describe('a reader of data', () => {
  test('gets JSON with the addresses of the profile', () => {
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        expect(JSON.parse(render('go-autorest', profile))).toMatchObject({
          resourceManagerEndpoint: profile.resourceManagerEndpoint,
          tokenAudience: profile.resourceManagerAudience.replace(/\/$/, ''),
        })
        expect(JSON.parse(render('az-json', profile))).toMatchObject({
          endpoints: { resourceManager: profile.resourceManagerEndpoint.replace(/\/$/, '') },
        })
      }),
    )
  })

  test('gets YAML with the values of the profile', () => {
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        const { tenantId } = identityProviderOf(profile)
        expect(parse(render('workload-identity', profile))).toMatchObject({ azureTenantID: tenantId ?? 'TENANT_ID' })
        expect(parse(render('pulumi', profile))).toMatchObject({
          config: {
            'azure-native:metadataHost': metadataHostOf(profile),
            ...(tenantId === undefined ? {} : { 'azuread:tenantId': tenantId }),
          },
        })
        expect(parse(render('ansible', profile))).toMatchObject({
          module_defaults: {
            'group/azure.azcollection.all': {
              cloud_environment: azCloud(profile).name,
              client_id: "{{ lookup('env', 'AZURE_CLIENT_ID', default=undef(hint='Set AZURE_CLIENT_ID')) }}",
            },
          },
        })
      }),
    )
  })

  test('gets no template that Ansible would run', () => {
    const opens = fc.constantFrom("{{ lookup('pipe', 'id') }}", '{% if x %}', '{# x #}')
    fc.assert(
      fc.property(arbitraryProfile, opens, (profile, template) => {
        const text = render('ansible', profile).replaceAll(
          /"\{\{ lookup\('env', '\w+', default=undef\(hint='Set \w+'\)\) \}\}"/g,
          '',
        )
        expect(text).not.toMatch(/\{[{%#]/)
        expect(
          render('ansible', { ...profile, authorityHost: 'https://login.enclave.test/', tenantId: template }),
        ).toMatch(/^    tenant: !unsafe "\{[{%#]/m)
      }),
    )
  })

  const withoutTerraform = isMissing('terraform') ? ' [skipped: terraform is not installed]' : ''
  const temp = useTemporaryDirectory()
  test.skipIf(withoutTerraform !== '')(`gets Terraform's values${withoutTerraform}`, () => {
    const batch = fc.array(arbitraryProfile, { minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(batch, (profiles) => {
        // A block of a provider, read as the object that it is: the console then needs no provider.
        const blocks = profiles.map((profile, index) => {
          const { 1: body = '' } = /^provider "azapi" \{\n(.*?)^\}/ms.exec(render('terraform', profile)) ?? []
          return `locals {\n  c${index} = {\n${body}  }\n}\n`
        })
        temp.write('main.tf', blocks.join(''))
        const list = profiles.map((_, index) => `local.c${index}.endpoint[0]`)
        const printed = execFileSync('terraform', ['console'], {
          cwd: temp.path,
          input: `base64encode(jsonencode([${list.join(', ')}]))\n`,
          encoding: 'utf8',
          stdio: ['pipe', 'pipe', 'ignore'],
        })
        const values = Buffer.from(JSON.parse(printed) as string, 'base64').toString()
        expect(JSON.parse(values)).toStrictEqual(
          profiles.map((profile) => ({
            active_directory_authority_host: identityProviderOf(profile).authorityBase.normalize(),
            resource_manager_endpoint: profile.resourceManagerEndpoint.normalize(),
            resource_manager_audience: profile.resourceManagerAudience.replace(/\/$/, '').normalize(),
          })),
        )
      }),
      { ...few(2), endOnFailure: true },
    )
  })
})

// No PowerShell and no C# compiler is at hand: their grammars tell at least that each text stays inside its literal.
describe.each([
  ['powershell', 'powershell'],
  ['dotnet', 'c-sharp'],
])('the grammar of %s', (format, grammar) => {
  let parser: Parser
  beforeAll(async () => {
    const entry = createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm')
    const tools = createRequire(import.meta.url)(
      '@vscode/tree-sitter-wasm',
    ) as typeof import('@vscode/tree-sitter-wasm')
    await tools.Parser.init()
    parser = new tools.Parser()
    parser.setLanguage(await tools.Language.load(readFileSync(join(dirname(entry), `tree-sitter-${grammar}.wasm`))))
  })
  const shape = (node: Node): string =>
    // How many pieces a literal is made of depends on its text.
    /string|additive|parenthesized/.test(node.type)
      ? '.'
      : `${node.type}(${node.children.map((child) => (child === null || child.type === 'comment' ? '' : shape(child))).join('')})`

  test('finds the same program in every profile', () => {
    const like = (profile: CloudProfile): CloudProfile => ({
      ...profile,
      authorityHost: 'https://login.enclave.test/',
      tenantId: 'contoso.test',
      portalUrl: 'https://portal.enclave.test/',
      // Their number decides how many services derive from them.
      serviceDnsSuffixes: { ...profile.serviceDnsSuffixes, storage: `.blob${profile.serviceDnsSuffixes.storage}` },
      services: {},
      environment: 'custom',
    })
    const plain = parser.parse(render(format, like(enclave)))
    expect(plain?.rootNode.hasError).toBe(false)
    const expected = plain && shape(plain.rootNode)
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        const tree = parser.parse(render(format, like(profile)))
        const found = { hasError: tree?.rootNode.hasError, shape: tree && shape(tree.rootNode) }
        // It lies in the memory of WebAssembly, which nobody else clears.
        tree?.delete()
        expect(found).toEqual({ hasError: false, shape: expected })
      }),
      few(60),
    )
  })
})

function isMissing(command: string): boolean {
  try {
    execFileSync(command, ['version'], { stdio: 'ignore' })
    return false
  } catch {
    return true
  }
}
