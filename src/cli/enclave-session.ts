import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  EnclaveFilesError,
  startEnclave,
  writeEnclaveFiles,
  type Enclave,
  type EnclaveFiles,
} from '../enclave/enclave.ts'
import { UsageError } from './exit.ts'
import type { ChosenFault } from './faults.ts'

/** A running enclave with its files in a directory of its own. */
export interface EnclaveSession {
  readonly enclave: Enclave
  readonly files: EnclaveFiles
  /** Closes the enclave and removes the files. */
  readonly close: () => Promise<void>
}

/** @throws {UsageError} when the files of the enclave cannot be written; nothing stays open or behind then. */
export async function openEnclave(chosen?: Pick<ChosenFault, 'fault' | 'target'>): Promise<EnclaveSession> {
  const directory = await mkdtemp(join(tmpdir(), 'enclave-')).catch((error: unknown) => {
    throw unwritable(error)
  })
  const remove = () => rmSync(directory, { recursive: true, force: true })
  process.once('exit', remove)
  const enclave = await startEnclave()
  const close = async () => {
    await enclave.close()
    remove()
    process.off('exit', remove)
  }
  try {
    const files = await writeEnclaveFiles(enclave, directory).catch((error: unknown) => {
      throw unwritable(error)
    })
    if (chosen !== undefined) await enclave.setFault(chosen.fault, chosen.target)
    return { enclave, files, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What the system said, directly or to the enclave, as one message that says what to do. */
function unwritable(error: unknown): unknown {
  const cause = error instanceof EnclaveFilesError ? error.cause : error
  if (!(cause instanceof Error && 'code' in cause && 'syscall' in cause)) return error
  const place = JSON.stringify(tmpdir())
  return new UsageError(
    `The files of the enclave cannot be written below ${place} (${String(cause.code)}). TMPDIR names another folder`,
    { cause },
  )
}
