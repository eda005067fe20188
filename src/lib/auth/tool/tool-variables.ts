/**
 * What the command-line tool needs of the environment: to be found, to find its own configuration, to reach its cloud.
 * None of our secrets is on the list, and nothing else is passed.
 */
const passed =
  /^(PATH|PATHEXT|HOME|USER|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|TEMP|TMP|TMPDIR|LANG|LC_ALL|XDG_\w+|AZURE_CONFIG_DIR|AZURE_EXTENSION_DIR|AZURE_CORE_\w+|REQUESTS_CA_BUNDLE|SSL_CERT_FILE|SSL_CERT_DIR|HTTPS?_PROXY|NO_PROXY|ALL_PROXY)$/i

/** The variables of an environment that are passed on. */
export function toolVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && passed.test(entry[0])),
  )
}
