/** The variables by which the command-line tool finds itself, its configuration and its cloud. No secret is among them. */
const passed =
  /^(PATH|PATHEXT|HOME|USER|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|TEMP|TMP|TMPDIR|LANG|LC_ALL|XDG_\w+|AZURE_CONFIG_DIR|AZURE_EXTENSION_DIR|AZURE_CORE_\w+|REQUESTS_CA_BUNDLE|SSL_CERT_FILE|SSL_CERT_DIR|HTTPS?_PROXY|NO_PROXY|ALL_PROXY)$/i

/** The variables that the tool gets. */
export function toolVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && passed.test(entry[0])),
  )
}
