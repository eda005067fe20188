import { afterEach } from 'vitest'
import type { Enclave, EnclaveAuthMode, EnclaveFiles, EnclaveOptions } from 'cloud-profile-enclave/enclave'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { useEnclaves } from './use-enclave.ts'
import { serveApp, type ServedApp, type ServeOptions } from './use-service.ts'

export interface ServedEnclave {
  readonly enclave: Enclave
  readonly files: EnclaveFiles
  /** Serves the built bundle with the settings of a mode, and some more. */
  readonly serve: (mode: EnclaveAuthMode, variables?: NodeJS.ProcessEnv, options?: ServeOptions) => Promise<ServedApp>
}

/** An enclave for one test, and services that use it; all of them end with the test. */
export function useEnclaveService(): (options?: EnclaveOptions) => Promise<ServedEnclave> {
  const services: ServedApp[] = []
  const open = useEnclaves()
  afterEach(() => Promise.all(services.splice(0).map((service) => service.close())))
  return async (options) => {
    const { enclave, files } = await open(options)
    return {
      enclave,
      files,
      async serve(mode, variables, options) {
        const service = await serveApp({ ...enclave.environment(mode, files), ...variables }, options)
        services.push(service)
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

export function countRequests({ requests }: Enclave, path: RegExp): number {
  return requests.filter((request) => request.role === 'login' && path.test(request.path)).length
}
