import { faultTable, type Fault, type FaultKind } from '../enclave/faults/fault.ts'
import { authModes } from '../lib/auth/modes.ts'
import type { Options, Values } from './command.ts'

/** What both commands that run an enclave take. */
export const enclaveOptions = {
  mode: { type: 'string', value: 'MODE', help: 'a value of AUTH_MODE', default: 'clientSecret', choices: authModes },
  fault: {
    type: 'string',
    value: 'FAULT',
    help: 'something that is wrong with this cloud, such as untrusted-ca or silent',
    choices: Object.keys(faultTable),
  },
} as const satisfies Options

/** The fault of the command line, with something telling for what it must be told. */
export function readFault({ fault }: Values<typeof enclaveOptions>): Fault | undefined {
  const kind = fault as FaultKind | undefined
  switch (kind) {
    case undefined:
      return undefined
    case 'aadsts':
      return { kind, number: 50049, error: 'invalid_instance' }
    case 'clock-skew':
      return { kind, seconds: 900 }
    default:
      return { kind } as Fault
  }
}
