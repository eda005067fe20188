import { afterEach } from 'vitest'
import type { EnclaveAuthMode, EnclaveOptions } from 'cloud-profile-enclave/enclave'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { useEnclaves } from './use-enclave.ts'
import { serveApp, type ServedApp, type ServeOptions } from './use-service.ts'

/** An enclave for one test, and services that use it; all of them end with the test. */
export function useEnclaveService() {
  const services: ServedApp[] = []
  const open = useEnclaves()
  afterEach(() => Promise.all(services.splice(0).map((service) => service.close())))
  return async (options?: EnclaveOptions) => {
    const { enclave, files } = await open(options)
    /** Serves the built bundle with the settings of a mode, and some more. */
    const serve = async (mode: EnclaveAuthMode, variables?: NodeJS.ProcessEnv, started?: ServeOptions) => {
      const service = await serveApp({ ...enclave.environment(mode, files), ...variables }, started)
      services.push(service)
      return service
    }
    return { enclave, files, serve }
  }
}

export async function diagnose(service: ServedApp, query = ''): Promise<DiagnosticsReport> {
  const response = await service.request(`/api/diagnostics${query}`)
  if (response.status !== 200) throw new Error(`/api/diagnostics answers ${response.status}`)
  return (await response.json()) as DiagnosticsReport
}
