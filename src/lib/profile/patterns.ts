// Written without flags, because the schema has them too and a JSON schema's pattern has none.

/** A tenant: a GUID, a domain name or `adfs`. Whatever passes cannot change a URL that it becomes part of. */
export const tenantPattern = /^[A-Za-z0-9][A-Za-z0-9.-]*$/

/** One DNS label (RFC 1123). */
export const dnsLabelPattern = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** DNS labels, each after a `.`, so that a name before them makes a host name. */
export const dnsSuffixPattern = /^(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$/

/** Text for people on one line: not blank, and nothing that moves a terminal's cursor. */
export const labelPattern =
  // oxlint-disable-next-line no-control-regex -- they are what is meant
  /^[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F][^\u0000-\u001F\u007F-\u009F]*$/
