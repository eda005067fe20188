import { describe, expect, test } from 'vitest'
import { explainRejectedAssertion } from '../../../src/lib/auth/credential-file.ts'
import { ServiceError } from '../../../src/lib/errors.ts'

const encode = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
const explained = (claims: object) =>
  explainRejectedAssertion(new ServiceError('CLIENT_ASSERTION_REJECTED', 'Rejected'), () =>
    Promise.resolve(`h.${encode(claims)}.s`),
  )

describe('The error of a rejected federated token', () => {
  test.each([
    ['an expired token has its time', 1_000_000_000, '2001-09-09T01:46:40.000Z'],
    ['a valid token has none', 32_503_680_000, undefined],
    ['a time that no calendar has is omitted', -1e300, undefined],
  ])('%s', async (_what, exp, expiredAt) => {
    const { code, evidence } = await explained({ iss: 'https://issuer.test/', exp })
    expect([code, evidence?.['assertionIssuer'], evidence?.['assertionExpiredAt']]).toEqual([
      'CLIENT_ASSERTION_REJECTED',
      'https://issuer.test/',
      expiredAt,
    ])
  })
})
