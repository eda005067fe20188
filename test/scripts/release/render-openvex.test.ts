import { expect, test } from 'vitest'
import { renderOpenVex } from '../../../scripts/release/render-openvex.ts'

const time = '2026-01-02T03:04:05.000Z'
const bundled = (version: string) => [
  { name: 'left', version, license: 'MIT', texts: [], purl: `pkg:npm/left@${version}`, sha512: '', folder: '' },
]
const row = {
  id: 'GHSA-1',
  aliases: ['CVE-1'],
  package: 'left',
  fixedIn: '2.10.0',
  source: 'https://advisory.example/1',
}
const notAffected = { justification: 'vulnerable_code_not_in_execute_path', reason: 'The bundle has no parser' }

interface Vex {
  readonly statements: readonly { readonly status: string; readonly justification?: string }[]
}
const statements = (text: string) => (JSON.parse(text) as Vex).statements

test('a version with the fix is fixed, and a package that is not bundled has no statement', () => {
  const rows = [row, { ...row, package: 'right' }]
  expect(statements(renderOpenVex(bundled('2.10.0'), time, rows))).toMatchObject([{ status: 'fixed' }])
})

test('a version without the fix needs a reason', () => {
  expect(() => renderOpenVex(bundled('2.9.9'), time, [row])).toThrow('left 2.9.9 has GHSA-1')
  const answered = statements(renderOpenVex(bundled('2.9.9'), time, [{ ...row, notAffected }]))
  expect(answered).toMatchObject([{ status: 'not_affected', justification: notAffected.justification }])
})
