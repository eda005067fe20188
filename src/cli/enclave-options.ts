import { enclaveAuthModes } from '../enclave/environment.ts'
import { versionSets } from '../enclave/versions.ts'
import type { Options } from './command.ts'

/** The options of the commands that run an enclave. */
export const enclaveOptions = {
  'federation-service': { type: 'boolean', help: 'the login authority is a federation service (AD FS), as on a stack' },
  versions: {
    type: 'string',
    value: 'SET',
    help: 'the interface versions of its services; stack ends them where an on-premises stack does',
    default: 'current',
    choices: versionSets,
  },
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
    help: 'a fault of this cloud, such as untrusted-ca or silent@login/token; list prints all',
  },
} as const satisfies Options
