import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import {
  EnclaveFilesError,
  faultTable,
  startEnclave,
  writeEnclaveFiles,
  type Enclave,
  type EnclaveAuthMode,
  type EnclaveFiles,
  type Fault,
  type FaultKind,
} from '../enclave/enclave.ts'
import { authModes } from '../lib/auth/auth-mode.ts'
import { UsageError } from './run-command.ts'

/** A running enclave with its files in a directory of its own. */
export interface EnclaveSession {
  readonly enclave: Enclave
  readonly files: EnclaveFiles
  /** Closes the enclave and removes the files. */
  readonly close: () => Promise<void>
}

export async function openEnclave(fault?: Fault): Promise<EnclaveSession> {
  const enclave = await startEnclave()
  const files = await writeEnclaveFiles(enclave).catch(async (error: unknown) => {
    await enclave.close()
    throw error instanceof EnclaveFilesError ? new UsageError(error.message, { cause: error }) : error
  })
  if (fault !== undefined) await enclave.setFault(fault)
  return {
    enclave,
    files,
    async close() {
      await enclave.close()
      await rm(files.directory, { recursive: true, force: true })
    },
  }
}

export interface EnclaveArguments {
  readonly mode: EnclaveAuthMode
  readonly fault: Fault | undefined
}

/**
 * Reads `--mode` and `--fault` of the command line.
 *
 * @returns `undefined` after `--help`, for which the usage was printed.
 */
export function readEnclaveArguments(usage: string): EnclaveArguments | undefined {
  const { values } = parseArgs({
    options: {
      mode: { type: 'string', default: 'clientSecret' },
      fault: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (!values.help) return { mode: readMode(values.mode), fault: readFault(values.fault) }
  process.stdout.write(usage)
  return undefined
}

/** @throws {UsageError} when a mode is not one of AUTH_MODE. */
function readMode(value: string): EnclaveAuthMode {
  const mode = authModes.find((known) => known === value)
  if (mode !== undefined) return mode
  throw new UsageError(`--mode must be one of ${authModes.join(', ')}, but is ${JSON.stringify(value)}`)
}

/** @throws {UsageError} when the enclave knows no such fault. */
function readFault(value: string | undefined): Fault | undefined {
  if (value === undefined) return undefined
  if (Object.hasOwn(faultTable, value)) return faultOf(value as FaultKind)
  throw new UsageError(`--fault must be one of ${Object.keys(faultTable).join(', ')}, but is ${JSON.stringify(value)}`)
}

/** A fault with something telling for what it must be told. */
function faultOf(kind: FaultKind): Fault {
  switch (kind) {
    case 'aadsts':
      return { kind, number: 50049, error: 'invalid_instance' }
    case 'clock-skew':
      return { kind, seconds: 900 }
    default:
      return { kind } as Fault
  }
}
