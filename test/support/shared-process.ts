import { setDefaultCACertificates } from 'node:tls'

// Test files of the project `shared` run in one process. A file that trusts the root of its enclave says so itself.
setDefaultCACertificates([])
