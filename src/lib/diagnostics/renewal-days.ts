/** Days before its expiry from which a certificate is a warning. */
export const renewalDays = 30
