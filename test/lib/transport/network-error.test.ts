import { getFips } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { exhaustedResource } from '../../../src/lib/base/files.ts'
import { faults } from '../../../src/lib/findings/network-faults.ts'
import {
  certificateFaults,
  NetworkError,
  networkFaultOf,
  toLookupError,
  toRequestError,
} from '../../../src/lib/transport/network-error.ts'
import { nodeError } from './memory-client.ts'

const requestError = (code: string) =>
  toRequestError(nodeError(code), 'AUTHORITY', new URL('https://login.test/'), { aborted: false })
const mismatch = Object.assign(new Error('mismatch'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })

test.each([
  ['fd00::1', false, 'AUTHORITY_CERTIFICATE_IPV6_UNSUPPORTED'],
  ['fd00::1', true, 'AUTHORITY_CERTIFICATE_NAME_MISMATCH'],
  ['10.0.0.1', false, 'AUTHORITY_CERTIFICATE_NAME_MISMATCH'],
  ['login.test', false, 'AUTHORITY_CERTIFICATE_NAME_MISMATCH'],
])(
  'a certificate that Node refuses for its name at %s, by a release that accepts IPv6 literals: %s, is %s',
  (hostname, accepts, code) => {
    for (const error of [mismatch, new AggregateError([mismatch])]) {
      const fault = networkFaultOf(error, hostname, () => accepts) ?? 'RESPONSE_INVALID'
      expect(new NetworkError('AUTHORITY', fault, 'refused').code).toBe(code)
    }
  },
)

test('every fault of a certificate is one', () => {
  const named = Object.keys(faults).filter((fault) => fault.startsWith('CERTIFICATE_'))
  expect(certificateFaults).toEqual(new Set(['UNTRUSTED', ...named]))
})

describe('an error of a socket', () => {
  const examples = {
    ENOTFOUND: 'DNS_FAILED',
    EAI_AGAIN: 'DNS_UNAVAILABLE',
    EPERM: 'UNREACHABLE',
    EPIPE: 'RESET',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'UNTRUSTED',
    CERT_SIGNATURE_FAILURE: getFips() === 1 ? 'CERTIFICATE_WEAK' : 'CERTIFICATE_INVALID',
    ERR_SSL_WRONG_VERSION_NUMBER: 'TLS_FAILED',
    ERR_TLS_HANDSHAKE_TIMEOUT: 'TLS_FAILED',
    HPE_INVALID_CONSTANT: 'RESPONSE_INVALID',
    SOMETHING_ELSE: undefined,
  } as const

  test.each(Object.entries(examples))('%s is %s', (code, fault) => {
    const error = nodeError(code)
    for (const each of [error, new Error('outer', { cause: error }), new AggregateError([error, nodeError('OTHER')])]) {
      expect(networkFaultOf(each)).toBe(fault)
    }
  })

  test('of a process without descriptors blames no host', () => {
    expect(exhaustedResource(new Error('outer', { cause: nodeError('EMFILE') }))).toBe('EMFILE')
    expect(exhaustedResource(nodeError('ECONNREFUSED'))).toBeUndefined()
    const evidence = { reason: 'EMFILE' }
    expect(requestError('EMFILE')).toMatchObject({ code: 'PROCESS_RESOURCES_EXHAUSTED', evidence })
  })
})

test.each([
  ['ECONNREFUSED', true],
  ['EHOSTUNREACH', true],
  ['EACCES', false],
  ['EPERM', false],
  ['ENOTFOUND', false],
])('%s of a request is transient: %s', (code, isTransient) => {
  expect(requestError(code)).toMatchObject({ isTransient })
})

test('a DNS server that responds with SERVFAIL is not one that does not respond', () => {
  const error = toLookupError('AUTHORITY', 'login.test', nodeError('EAI_AGAIN'), 'SERVFAIL')
  expect(error).toMatchObject({ code: 'AUTHORITY_DNS_UNAVAILABLE', evidence: { problem: 'SERVFAIL' } })
  expect(error.message).toBe('The DNS servers of this machine responded SERVFAIL to the lookup of login.test')
})
