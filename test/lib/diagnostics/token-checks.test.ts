import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { checkCredential, checkToken, readIdentity } from '../../../src/lib/diagnostics/token-checks.ts'
import { identityProviderOf } from '../../../src/lib/profile/identity-provider.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()

const profile = resolveCloudProfile({ env: {} })
const audience = profile.resourceManagerAudience
const tenantId = '11111111-2222-3333-4444-555555555555'
const seconds = Date.now() / 1000
const expected = { ...identityProviderOf(profile, tenantId).expectedClaims, audience, issuedBy: 'authority' }

const iss = `https://sts.windows.net/${tenantId}/`
const good = { aud: audience, tid: tenantId, iss, nbf: seconds - 60, exp: seconds + 3600 }

const sign = (claims: object) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode('k'.repeat(32)))

const verdict = async (claims: object) => {
  const checks = await checkToken(await sign({ ...good, ...claims }), expected)
  return checks
    .filter(({ status, code }) => status !== 'pass' || code !== undefined)
    .map(({ id, status, code }) => [id, status, code])
}

describe('the verdict on a token', () => {
  test('is good for the token asked for, also if it starts within five minutes', async () => {
    expect([await verdict({}), await verdict({ nbf: seconds + 300 })]).toEqual([[], []])
  })

  test.each<[string, object, string, string, string | undefined]>([
    ['another audience', { aud: 'https://management.azure.com/' }, 'token.audience', 'fail', 'TOKEN_AUDIENCE_MISMATCH'],
    ['no audience', { aud: undefined }, 'token.audience', 'fail', 'TOKEN_AUDIENCE_MISMATCH'],
    ['an audience without its slash', { aud: audience.slice(0, -1) }, 'token.audience', 'pass', 'TOKEN_AUDIENCE_SLASH'],
    ['another tenant', { tid: tenantId.replace('1', '9') }, 'token.tenant', 'fail', 'TOKEN_TENANT_MISMATCH'],
    ['no tenant', { tid: undefined }, 'token.tenant', 'skip', undefined],
    ['another issuer', { iss: 'https://login.example/' }, 'token.issuer', 'warn', 'TOKEN_ISSUER_MISMATCH'],
    ['an end in the past', { exp: seconds }, 'token.lifetime', 'fail', 'TOKEN_EXPIRED'],
    ['a start beyond the tolerated skew', { nbf: seconds + 330 }, 'token.lifetime', 'fail', 'TOKEN_NOT_YET_VALID'],
  ])('names %s', async (_what, claims, id, status, code) => {
    expect(await verdict(claims)).toEqual([[id, status, code]])
  })

  test('on an opaque token is that it cannot be read', async () => {
    expect(await checkToken('opaque', expected)).toMatchObject([{ status: 'warn', code: 'TOKEN_OPAQUE' }])
  })

  test('shows no claim that is not shaped like one', async () => {
    const hostile = 'a secret, with spaces'
    const token = await sign({ ...good, aud: hostile, tid: hostile, oid: hostile, appid: hostile })
    expect(JSON.stringify(await checkToken(token, expected))).not.toContain(hostile)
    expect(readIdentity(token)).toEqual({})
  })
})

test.runIf(process.platform !== 'win32')('a certificate path that is a pipe is not waited for', async () => {
  const clientCertificatePath = join(temp.path, 'pipe.pem')
  execFileSync('mkfifo', [clientCertificatePath])
  expect(await checkCredential({ authMode: 'clientCertificate', clientCertificatePath })).toEqual({})
})
