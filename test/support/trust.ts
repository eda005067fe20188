import { setDefaultCACertificates } from 'node:tls'

const roots: string[] = []

/**
 * Makes this process trust one more root, and no public root from now on: each TLS connection after a change would parse all of them.
 *
 * @returns Withdraws the trust.
 */
export function trust(certificatePem: string): () => void {
  roots.push(certificatePem)
  setDefaultCACertificates(roots)
  return () => {
    roots.splice(roots.indexOf(certificatePem), 1)
    setDefaultCACertificates(roots)
  }
}
