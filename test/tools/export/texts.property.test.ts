import type { Node, Parser } from '@vscode/tree-sitter-wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { arbitraryProfile } from '../../support/arbitrary-profile.ts'
import { grammarParser } from '../../support/grammar-parser.ts'
import { fc, few } from '../../support/properties.ts'
import { enclave } from '../../support/sample-profiles.ts'

const render = (format: string, profile: CloudProfile) => exportFormats[format]?.render(profile) ?? ''
const formats = fc.constantFrom(...Object.keys(exportFormats))

describe('every export of every profile', () => {
  test.each(Object.values(exportFormats))('begins with what it is: $name', ({ name, comment, render: write }) => {
    const header = `${comment} The export ${name} of a cloud profile, made by cloud-profile-service. Holds no secret.\n`
    expect(write(enclave).startsWith(comment === undefined ? '{\n  "' : header)).toBe(true)
  })

  test('is plain ASCII with one line break at its end', () => {
    fc.assert(
      fc.property(formats, arbitraryProfile, (format, profile) => {
        expect(render(format, profile)).toMatch(/^[\x20-\x7e\n\t]+[\x20-\x7e]\n$/)
        expect(render(format, profile)).not.toMatch(/[ \t]$|[:=] undefined|["']undefined/m)
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

describe('a reader of data', () => {
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
})

// The grammars of languages whose compiler a test cannot have: each text stays inside its literal.
describe.each([['powershell', 'powershell']])('the grammar of %s', (format, grammar) => {
  let parser: Parser
  beforeAll(async () => {
    parser = await grammarParser(grammar)
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
        // It lies in the memory of WebAssembly, which no collector clears.
        tree?.delete()
        expect(found).toEqual({ hasError: false, shape: expected })
      }),
      few(60),
    )
  })
})
