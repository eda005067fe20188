import { readFileSync } from 'node:fs'

/** A document of test/fixtures/metadata, parsed. */
export function metadataFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../fixtures/metadata/${name}`, import.meta.url), 'utf8'))
}

/** A document as an enclave might answer it, with some parts replaced. */
export function metadataDocument(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    portalEndpoint: 'https://portal.enclave.test/',
    authentication: {
      loginEndpoint: 'https://login.enclave.test/',
      audiences: ['https://management.core.enclave.test/', 'https://management.enclave.test/'],
    },
    ...changes,
  }
}
