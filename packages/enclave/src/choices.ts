/** The values of the command's options. This entry doesn't load the certificate library, which is slow. */
export { type EnclaveAuthMode, enclaveAuthModes } from './environment.ts'
export { type Fault, type FaultKind, type FaultTarget, faultTable } from './faults/fault.ts'
export { versionSets } from './named-cloud.ts'
