import { enclaveAuthModes } from '../enclave/settings.ts'
import type { Options } from './command.ts'

/** What both commands that run an enclave take. */
export const enclaveOptions = {
  mode: {
    type: 'string',
    value: 'MODE',
    help: 'a value of AUTH_MODE',
    default: 'clientSecret',
    choices: enclaveAuthModes,
  },
  fault: {
    type: 'string',
    value: 'NAME[@TARGET]',
    help: 'something that is wrong with this cloud, such as untrusted-ca or silent@login/token; list names them all',
  },
} as const satisfies Options
