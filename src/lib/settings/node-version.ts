import { ServiceError } from '../errors.ts'

/** Refuses to start on a Node older than 22.1, the first release with `URL.parse`. @throws {ServiceError} `NODE_UNSUPPORTED`. */
export function refuseOldNode(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 1)) return
  throw new ServiceError('NODE_UNSUPPORTED', `Node ${version} is too old: Node 22.1 or later is needed`, {
    evidence: { version },
  })
}
