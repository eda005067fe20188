import { describe, expect, test } from 'vitest'
import { createLeakDetector, privateKeyLines } from './leak-detector.ts'

const secret = `kD8~Qw'ertz&Uiop+asdf%Ghjk`
const token = `eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJodHRwczovL3gvIn0.c2lnbmF0dXJlLW9mLWEtdG9rZW4tdGhhdC1pcy1sb25n`
const detector = createLeakDetector([
  { name: 'client secret', value: secret },
  { name: 'token', value: token },
  { name: 'short password', value: 'Tr0ub4dor' },
])

const carriers: readonly (readonly [string, string])[] = [
  ['as it is', `The secret ${secret} was refused`],
  ['in JSON', JSON.stringify({ message: `${secret}"` })],
  ['in a URL', `https://x.test/?s=${encodeURIComponent(secret)}`],
  ['in a form', `a=1&${new URLSearchParams({ secret }).toString()}`],
  ['in HTML', `<p>${secret.replaceAll('&', '&amp;').replaceAll("'", '&#39;')}</p>`],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in a basic authorization', `Basic ${Buffer.from(`client:${secret}`).toString('base64')}`],
  ['in a longer basic authorization', `Basic ${Buffer.from(`client2:${secret}`).toString('base64')}`],
  ['in hex', Buffer.from(`xx${secret}`).toString('hex')],
]

describe('the detector', () => {
  test.each(carriers)('finds a secret %s', (_, text) => {
    expect(detector.find(text)).toEqual(['client secret'])
  })

  test('finds 20 characters of a long secret, and not 19', () => {
    expect(detector.find(`…${secret.slice(3, 23)}…`)).toEqual(['client secret'])
    expect(detector.find(`…${secret.slice(3, 22)}…`)).toEqual([])
  })

  test('finds any 20 characters of a token, its signature above all', () => {
    expect(detector.find(token.slice(-20))).toEqual(['token'])
    expect(detector.find(token.slice(30, 50))).toEqual(['token'])
  })

  test('finds a short secret as a whole', () => {
    expect(detector.find('password=Tr0ub4dor;')).toEqual(['short password'])
    expect(detector.find('password=Tr0ub4do;')).toEqual([])
  })

  test('finds a signed token that it has never seen', () => {
    expect(createLeakDetector([]).find(`assertion ${token}`)).toEqual(['a signed token'])
  })

  test('finds the lines of a private key, and lets the certificate be', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDThisIsNoRealKeyAtAll'
    const pem = `-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n${line}\nlast=\n-----END PRIVATE KEY-----\n`
    const keys = createLeakDetector(privateKeyLines(pem))
    expect(keys.find(`parse error near ${line.slice(10, 40)}`)).toEqual(['certificate key'])
    expect(keys.find('MIIC')).toEqual([])
  })

  test('lets an ordinary report be', () => {
    expect(detector.find('{"status":"failed","code":"CLIENT_SECRET_INVALID","message":"login refused"}')).toEqual([])
  })
})
