import { networkInterfaces } from 'node:os'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'

const hasLoopback = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)
const takesCertificates =
  checkServerIdentity('::1', { subject: {}, subjectaltname: 'IP Address:0:0:0:0:0:0:0:1' } as PeerCertificate) ===
  undefined

/** Why no server with TLS can be reached at an IPv6 literal here, or `undefined`. Some releases of Node 22 (22.23.3 is one) take no certificate for one. */
export const refusalOfIPv6 = hasLoopback
  ? takesCertificates
    ? undefined
    : `Node ${process.versions.node} takes no certificate for an IPv6 literal`
  : 'there is no ::1 here'
