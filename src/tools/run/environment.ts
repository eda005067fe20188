import { withoutBrackets } from '../../lib/base/address.ts'
import type { Env } from '../../lib/base/env.ts'
import { storePassword, trustVariables } from './trust.ts'

/** Variables of a cloud or a credential. The program doesn't get them, because they may have values of another cloud. */
const replaced =
  /^(?:AZURE_(?:AUTHORITY_HOST|TENANT_ID|CLIENT_ID|CLIENT_SECRET|CLIENT_CERTIFICATE_P(?:ATH|ASSWORD)|FEDERATED_TOKEN_FILE|USERNAME|PASSWORD|ENVIRONMENT|AD_RESOURCE)|ARM_(?:ENVIRONMENT|METADATA_HOST(?:NAME)?|TENANT_ID|CLIENT_ID(?:_FILE_PATH)?|CLIENT_SECRET(?:_FILE_PATH)?|CLIENT_CERTIFICATE(?:_PATH|_PASSWORD)?|USE_(?:OIDC|MSI)|OIDC_TOKEN(?:_FILE_PATH)?))$/

/** Whether a variable names a proxy, such as `CARGO_HTTP_PROXY`, or the account of a proxy. */
function isProxyName(name: string): boolean {
  const at = name.toLowerCase().indexOf('proxy')
  return at >= 0 && /^$|url|user|pass|auth|cred|secret/i.test(name.slice(at + 'proxy'.length))
}

/** The passwords of the operator's proxies, in each form in which a variable may contain them. */
function proxySecrets(env: Env): readonly string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    const [, account, password] =
      /^(?:[a-z\d+.-]+:\/\/)?([^/@\s:]*:([^/@\s]+))@/i.exec(isProxyName(name) ? value : '') ?? []
    if (account === undefined || password === undefined) return []
    // Other variables would contain a short password by chance.
    const texts = [`${account}@`, ...(password.length < 4 ? [] : [password])]
    return texts.flatMap((text) => [text, decode(text), Buffer.from(decode(account)).toString('base64')])
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The environment of the program: the variables of this process, replaced where they concern the cloud, the credential, the proxy or the trust.
 * No variable contains the password of the operator's proxy. @param cloud The variables of the profile and of the credential.
 */
export function childEnvironment(
  env: Env,
  cloud: Readonly<Record<string, string>>,
  { proxy, trustFile, trustStore }: { readonly proxy: URL; readonly trustFile: string; readonly trustStore: string },
): Readonly<Record<string, string>> {
  const secrets = proxySecrets(env)
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !replaced.test(entry[0]) &&
      !isProxyName(entry[0]) &&
      !secrets.some((secret) => entry[1]?.includes(secret)),
  )
  const origin = proxy.origin
  return {
    ...Object.fromEntries(kept),
    ...cloud,
    ...Object.fromEntries(trustVariables.map((name) => [name, trustFile])),
    HTTP_PROXY: origin,
    HTTPS_PROXY: origin,
    http_proxy: origin,
    https_proxy: origin,
    NO_PROXY: '',
    no_proxy: '',
    // Without this variable, Node ignores the proxy.
    NODE_USE_ENV_PROXY: '1',
    JAVA_TOOL_OPTIONS: [kept.find(([name]) => name === 'JAVA_TOOL_OPTIONS')?.[1], javaOptions(proxy, trustStore)]
      .filter(Boolean)
      .join(' '),
  }
}

function javaOptions({ hostname, port }: URL, trustStore: string): string {
  const host = withoutBrackets(hostname)
  const options = [
    ...['http', 'https'].flatMap((scheme) => [`-D${scheme}.proxyHost=${host}`, `-D${scheme}.proxyPort=${port}`]),
    '-Dhttp.nonProxyHosts=',
    // Without this option, the Java SDK ignores HTTPS_PROXY.
    '-Djava.net.useSystemProxies=true',
    `-Djavax.net.ssl.trustStore=${/\s/.test(trustStore) ? `"${trustStore}"` : trustStore}`,
    '-Djavax.net.ssl.trustStoreType=JKS',
    `-Djavax.net.ssl.trustStorePassword=${storePassword}`,
  ]
  return options.join(' ')
}
