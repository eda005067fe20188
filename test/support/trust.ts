import { setDefaultCACertificates } from 'node:tls'

const roots: string[] = []

/**
 * Makes this process trust one more root. It trusts no public one from now on, because a test reaches none, and each TLS connection after a
 * change would parse them all.
 *
 * @returns What withdraws it.
 */
export function trust(certificatePem: string): () => void {
  roots.push(certificatePem)
  setDefaultCACertificates(roots)
  return () => {
    roots.splice(roots.indexOf(certificatePem), 1)
    setDefaultCACertificates(roots)
  }
}
