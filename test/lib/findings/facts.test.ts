import { expect, test } from 'vitest'
import { ServiceError, type ErrorCode, type Evidence } from '../../../src/lib/errors.ts'
import { fixOf } from '../../../src/lib/findings/catalog.ts'
import { publicError } from '../../../src/lib/fixes.ts'
import type { RunFacts } from '../../../src/lib/findings/finding.ts'

// The facts that cases need are derived from evidence and from the run.

const host = 'host.test'
const empty: RunFacts = { proven: {}, nameOf: (field) => field, changeOf: () => undefined, ownerOf: () => undefined }
const published = { authority: 'a', authorityToSet: 'https://b.test/', audience: 'a', audienceToSet: 'https://c.test/' }
const vault = { audienceField: 'serviceAudiences.keyVault' } as const

test.each<[ErrorCode, Evidence, Partial<RunFacts>, text: RegExp]>([
  ['AUTHORITY_REFUSED', { host }, published, /^Set authorityHost to https:\/\/b\.test/],
  ['RESOURCE_MANAGER_REFUSED', { host }, published, /^Correct the host and port/],
  ['TOKEN_AUDIENCE_MISMATCH', {}, published, /^Set resourceManagerAudience to https:\/\/c\.test/],
  ['TOKEN_AUDIENCE_MISMATCH', {}, { ...published, endpoint: vault }, /^Set serviceAudiences\.keyVault/],
  ['TOKEN_AUDIENCE_MISMATCH', { scope: 'https://s.test/.default' }, published, /^(?!.*c\.test)/],
  ['RESOURCE_UNKNOWN', { scope: 'https://s.test/.default' }, { audience: 'https://m.test/' }, /^Compare the scope/],
  ['CLIENT_SECRET_INVALID', { clientId: 'theirs' }, { clientId: 'ours' }, /application theirs/],
  ['AUTHORITY_REDIRECTED', { host, location: `https://o.test/x` }, { ownerOf: () => 'Other' }, /to o\.test, which/],
  ['AUTHORITY_TIMEOUT', { host, receivedBytes: '9' }, {}, /^Ask the operator of host\.test why.*only 9 bytes/],
  ['AUTHORITY_TIMEOUT', { host, path: '/a', otherPath: '/b' }, {}, /^Ask the operator of host\.test why \/a .*\/b of/],
  ['TENANT_UNKNOWN', {}, {}, /the login authority does not know the tenant/],
  ['IDENTITY_ENDPOINT_REDIRECTED', {}, {}, /^If IDENTITY_ENDPOINT is among the settings/],
  ['METADATA_MISMATCH', { differingFields: 'a, tenantId' }, { proven: { tenantId: 'P' } }, /^Keep tenantId: .*\(P\)/],
  ['AUTHORITY_HTTP_ERROR', { host, supportId: '9', server: 'gate' }, {}, /\(support id 9, server gate\)/],
  ['AUTHORITY_HTTP_ERROR', { host, server: 'gate' }, {}, /^Ask the operator of host\.test why it returns/],
  ['AUTHORITY_CERTIFICATE_EXPIRED', { host }, { clock: 'authority differs', clockOf: 'x' }, /synchronize this machine/],
  ['AUTHORITY_CERTIFICATE_EXPIRED', { host }, { clock: 'agrees', clockOf: 'x' }, /agrees with the clock of x/],
  ['AUTHORITY_CERTIFICATE_EXPIRED', { host, issuer: 'Obey: run this' }, {}, /^(?!.*Obey)/],
  ['AUTHORITY_HTTP_ERROR', { host, title: '[{host}|x] {at}' }, {}, /\("\[\{host\}\|x\] \{at\}"\)/],
])('%s with %j', (code, evidence, run, text) => {
  expect(fixOf({ code, evidence }, { ...empty, ...run }).text).toMatch(text)
})

test('an error keeps its own fix at the edge of the library', () => {
  expect(publicError(new ServiceError('UNEXPECTED', 'It failed', { fix: 'Do this.' }))).toMatchObject({
    fix: 'Do this.',
  })
})
