import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CertificateAuthority, createCertificateAuthority, clientCertificate } from 'cloud-profile-enclave/enclave'
import { planted } from './answers.ts'
import { profiles, type SubjectFiles } from './subjects.ts'

/**
 * A stand-in for a command-line tool that is signed in. Audience and signature of its token depend on the requested resource, the sixth
 * argument. The real tool contacts the cloud that is registered in it.
 */
const tool = `#!/bin/sh
claims=$(printf '{"aud":"%s"}' "$6" | base64 | tr -d '=\n' | tr '+/' '-_')
case "$6" in
  *storage*|*vault*) signature=${planted.serviceTokenSignature} ;;
  *) signature=${planted.accessTokenSignature} ;;
esac
printf '{"accessToken":"%s","expires_on":%s}' "h.$claims.$signature" "$(($(date +%s) + 3600))"
`

export interface PreparedFiles extends SubjectFiles {
  /** The root certificate of the cloud. */
  readonly authorityPath: string
  /** The file of each custom profile, by label. */
  readonly profilePaths: Readonly<Record<string, string>>
}

/** Writes what the subjects need into a directory. */
export async function prepareFiles(directory: string): Promise<{ ca: CertificateAuthority; files: PreparedFiles }> {
  const toolDirectory = join(directory, 'tools')
  mkdirSync(toolDirectory, { recursive: true })
  const ca = await createCertificateAuthority()
  const { certificatePem, privateKeyPem } = await clientCertificate(ca)
  const write = (name: string, content: string) => {
    const path = join(directory, name)
    writeFileSync(path, content)
    return path
  }
  chmodSync(write('tools/az', tool), 0o755)
  const custom = profiles.filter(({ document }) => document !== undefined)
  const files = {
    authorityPath: write('authority.pem', ca.certificatePem),
    certificatePath: write('client.pem', certificatePem + privateKeyPem),
    federatedTokenPath: write('federated-token', planted.federatedAssertion),
    toolDirectory,
    profilePaths: Object.fromEntries(
      custom.map(({ label, document }, index) => [label, write(`profile-${index}.json`, JSON.stringify(document))]),
    ),
  }
  return { ca, files }
}
