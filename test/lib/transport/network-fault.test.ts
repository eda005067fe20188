import { describe, expect, test } from 'vitest'
import { NetworkError } from '../../../src/lib/transport/network-error.ts'
import { networkFaultOf } from '../../../src/lib/transport/network-fault.ts'

const mismatch = Object.assign(new Error('mismatch'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })

describe('a certificate that Node refuses for its name', () => {
  test.each([
    ['fd00::1', false, 'AUTHORITY_CERTIFICATE_IPV6_UNSUPPORTED'],
    ['fd00::1', true, 'AUTHORITY_CERTIFICATE_NAME_MISMATCH'],
    ['10.0.0.1', false, 'AUTHORITY_CERTIFICATE_NAME_MISMATCH'],
    ['login.test', false, 'AUTHORITY_CERTIFICATE_NAME_MISMATCH'],
  ])('at %s, by a release that accepts IPv6 literals: %s, is %s', (hostname, accepts, code) => {
    for (const error of [mismatch, new AggregateError([mismatch])]) {
      const fault = networkFaultOf(error, hostname, () => accepts) ?? 'RESPONSE_INVALID'
      expect(new NetworkError('AUTHORITY', fault, 'refused').code).toBe(code)
    }
  })
})
