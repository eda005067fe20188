import { expect, test } from 'vitest'
import { addedAuthorities, describeAdded } from '../../../src/lib/transport/certificate-authorities.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()

test('a file of certificate authorities in UTF-16 is named as such', () => {
  const text = '\uFEFF-----BEGIN CERTIFICATE-----\r\n'
  const NODE_EXTRA_CA_CERTS = temp.write('ca.pem', Buffer.from(text, 'utf16le'))
  const [added] = addedAuthorities({ NODE_EXTRA_CA_CERTS })
  expect(added && describeAdded(added)).toMatch(/^NODE_EXTRA_CA_CERTS: file without a certificate \(.*UTF-16.*\)$/)
})
