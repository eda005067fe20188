import { rmSync } from 'node:fs'
import {
  startEnclave,
  writeEnclaveFiles,
  type Enclave,
  type EnclaveFiles,
  type EnclaveOptions,
} from '../enclave/enclave.ts'
import type { ChosenFault } from './faults.ts'

/** A running enclave with its files in a temporary directory. */
export interface EnclaveSession {
  readonly enclave: Enclave
  readonly files: EnclaveFiles
  /** Closes the enclave and removes the files. */
  readonly close: () => Promise<void>
}

/** @throws {EnclaveFilesError} if the files of the enclave cannot be written. The enclave is closed then. */
export async function openEnclave(
  chosen?: Pick<ChosenFault, 'fault' | 'target'>,
  options: EnclaveOptions = {},
): Promise<EnclaveSession> {
  const enclave = await startEnclave(chosen === undefined ? options : { ...options, faults: [chosen] })
  const files = await writeEnclaveFiles(enclave).catch(async (error: unknown) => {
    await enclave.close()
    throw error
  })
  const remove = () => rmSync(files.directory, { recursive: true, force: true })
  process.once('exit', remove)
  return {
    enclave,
    files,
    close: async () => {
      await enclave.close()
      remove()
      process.off('exit', remove)
    },
  }
}
