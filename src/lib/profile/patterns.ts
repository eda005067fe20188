// Written without flags, because a pattern of a JSON schema has no flags.

/** A tenant: a GUID, a domain name or `adfs`. A value that passes cannot change a URL that it becomes part of. */
export const tenantPattern = /^[A-Za-z0-9][A-Za-z0-9.-]*$/

/** One DNS label (RFC 1123). */
export const dnsLabelPattern = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** DNS labels, each after a `.`, so that a name before them makes a host name. */
export const dnsSuffixPattern = /^(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/

/** DNS labels with a `.` between them. */
export const hostNamePattern =
  /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/

/** Escape sequences that move the cursor of a terminal. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
export const controlCharacters = /[\u0000-\u001F\u007F-\u009F]/

/** As {@link controlCharacters}, without the tab and line breaks that a text of several lines has. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
export const controlsBesideLines = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/

/** Control characters and invisible characters: joiners, marks, bidirectional controls, line separators, noncharacters. */
export const hiddenCharacters =
  // oxlint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]/
