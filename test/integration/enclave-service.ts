import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import {
  startEnclave,
  writeEnclaveFiles,
  type Enclave,
  type EnclaveAuthMode,
  type EnclaveFiles,
  type EnclaveOptions,
} from '../../src/enclave/enclave.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { serveApp, type ServedApp } from '../support/use-service.ts'

export interface ServedEnclave {
  readonly enclave: Enclave
  readonly files: EnclaveFiles
  /** Serves the built bundle with the settings of a mode, and some more. */
  readonly serve: (mode: EnclaveAuthMode, variables?: NodeJS.ProcessEnv) => Promise<ServedApp>
}

/** An enclave for one test, and services that use it; all of them end with the test. */
export function useEnclaveService(): (options?: EnclaveOptions) => Promise<ServedEnclave> {
  const cleanups: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  })
  return async (options) => {
    const enclave = await startEnclave(options)
    const directory = await mkdtemp(join(tmpdir(), 'served-'))
    cleanups.push(
      () => rm(directory, { recursive: true, force: true }),
      () => enclave.close(),
    )
    const files = await writeEnclaveFiles(enclave, directory)
    return {
      enclave,
      files,
      async serve(mode, variables) {
        const service = await serveApp({ ...enclave.environment(mode, files), ...variables })
        cleanups.push(() => service.close())
        return service
      },
    }
  }
}

export async function diagnose(service: ServedApp, query = ''): Promise<DiagnosticsReport> {
  const response = await service.request(`/api/diagnostics${query}`)
  if (response.status !== 200) throw new Error(`/api/diagnostics answers ${response.status}`)
  return (await response.json()) as DiagnosticsReport
}

/** How often one path of the login authority was asked. */
export function countRequests({ requests }: Enclave, path: RegExp): number {
  return requests.filter((request) => request.role === 'login' && path.test(request.path)).length
}
