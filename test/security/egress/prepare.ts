import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { createCertificateAuthority, clientCertificate } from 'cloud-profile-enclave/enclave'
import type { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { planted } from './answers.ts'
import { profiles } from './subjects.ts'

/** A stand-in for a signed-in command-line tool. Its token depends on the requested resource, the sixth argument. */
const tool = `#!/bin/sh
claims=$(printf '{"aud":"%s"}' "$6" | base64 | tr -d '=\n' | tr '+/' '-_')
case "$6" in
  *storage*|*vault*) signature=${planted.serviceTokenSignature} ;;
  *) signature=${planted.accessTokenSignature} ;;
esac
printf '{"accessToken":"%s","expires_on":%s}' "h.$claims.$signature" "$(($(date +%s) + 3600))"
`

export type PreparedFiles = Awaited<ReturnType<typeof prepareFiles>>['files']

/** Writes what the subjects need into a directory. */
export async function prepareFiles({ write }: ReturnType<typeof useTemporaryDirectory>) {
  const ca = await createCertificateAuthority()
  const { certificatePem, privateKeyPem } = await clientCertificate(ca)
  const toolPath = write('tools/az', tool)
  chmodSync(toolPath, 0o755)
  const custom = profiles.filter(({ document }) => document !== undefined)
  const files = {
    authorityPath: write('authority.pem', ca.certificatePem),
    certificatePath: write('client.pem', certificatePem + privateKeyPem),
    federatedTokenPath: write('federated-token', planted.federatedAssertion),
    toolDirectory: dirname(toolPath),
    /** The file of each custom profile, by label. */
    profilePaths: Object.fromEntries(
      custom.map(({ label, document }, index) => [label, write(`profile-${index}.json`, document)]),
    ),
  }
  return { ca, files }
}
