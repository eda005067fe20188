import type { X509Certificate } from 'node:crypto'

// `validFromDate` and `validToDate` are absent before Node 22.10.

/** Milliseconds since the epoch. */
export const beginOf = ({ validFrom }: X509Certificate): number => Date.parse(validFrom)

/** Milliseconds since the epoch. */
export const endOf = ({ validTo }: X509Certificate): number => Date.parse(validTo)

/** Days before its expiry from which a certificate is a warning. */
export const renewalDays = 30
