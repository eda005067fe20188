import type { ErrorText } from './login-texts.ts'

const noIdentity = [
  'The host offers no managed identity to this process: none is assigned, the client id is another, or the request to the identity endpoint went through a proxy.',
  'Assign an identity to the host, correct its client id, and exempt 169.254.169.254 from the proxy (NO_PROXY).',
] as const

/** What TLS, proxies, DNS and connections say. */
export const networkTexts: readonly ErrorText[] = [
  [
    [
      [/http:\/\/169\.254\.169\.254|\/MSI\/token/i, /time(?:d )?out|deadline|refused|unreachable/i],
      [/HTTP response code: [45]/i, /\/MSI\/token/i],
      /IMDS token request timed out|failed to retrieve (?:an )?IMDS token|pod list is empty/i,
      [/ManagedIdentityCredential(?:\.get_token failed)?: /i, /unexpected content type|Errno 111|connection refused/i],
    ],
    ...noIdentity,
  ],
  [
    [
      /Missing Authority Key Identifier|Basic Constraints of CA cert not marked critical|insecure algorithm SHA1-RSA/i,
      /(?:ee key|ca key|dh key) too small|(?:ca|ee) md too weak|certificate key too weak|CaUsedAsEndEntity/i,
    ],
    'Python 3.13, OpenSSL, Go and Rust check certificates strictly, and one in the chain breaks a rule: an extension is missing or wrong (RFC 5280), or a key or signature is weak. Trusting it does not help.',
    'Ask the operator of the proxy or server to renew the chain with the extensions of a CA, SHA-256 and RSA keys of 2048 bits or more.',
  ],
  [
    [
      'CERT_HAS_EXPIRED CERT_NOT_YET_VALID',
      /certificate (?:has expired|is not yet valid)/i,
      /Certificate(?:Expired|NotYetValid)Exception|\bNotTimeValid\b/,
    ],
    'A certificate of the server or of the proxy has expired or is not yet valid, or the clock of this machine is wrong.',
    "Synchronize this machine's clock (NTP). If it is correct, ask the operator of the host to renew the certificate.",
  ],
  [
    [
      'ERR_TLS_CERT_ALTNAME_INVALID SSL_ERROR_BAD_CERT_DOMAIN',
      /x509: certificate is (?:valid for|not valid for any names)|hostname mismatch|RemoteCertificateNameMismatch/i,
      /doesn'?t match (?:either of )?'|no alternative certificate subject name matches/i,
      /No (?:subject alternative|name matching)/i,
    ],
    'The certificate at this address was issued for other host names: DNS, a hosts file or a proxy leads to another server.',
    'Check where the name leads, and use a name that the certificate has.',
  ],
  [
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE SELF_SIGNED_CERT_IN_CHAIN DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_GET_ISSUER_CERT SEC_E_UNTRUSTED_ROOT 0A000086 1416F086',
      /signed by unknown authority|unable to get (?:local )?issuer certificate|self[- ]signed certificate/i,
      /unable to verify the first certificate|invalid peer certificate: UnknownIssuer|certificate verify failed/i,
      /PKIX path (?:building|validation) failed|unable to find valid certification path/i,
      /\b(?:PartialChain|UntrustedRoot)\b|RemoteCertificateChainErrors|CERTIFICATE_VERIFY_FAILED/,
      /verify error:num=(?:18|19|20|21)\b|could not establish trust relationship/i,
      /certificate is not trusted|not trusted by the trust provider/i,
    ],
    'The client does not trust the certificate authority of the server, or of a proxy that inspects TLS.',
    'Add the certificate authority to the trust of this client. If a proxy inspects TLS, it is the one of the proxy.',
    'trust',
  ],
  [
    [
      /could not find a suitable TLS CA certificate bundle|error setting certificate (?:verify locations|file)/i,
      /Ignoring extra certs from|Problem with the SSL CA cert|trustAnchors parameter must be non-empty/i,
      /SSLError\(PermissionError/,
    ],
    'The file of trusted certificates that a variable names does not exist or cannot be read.',
    'Correct the path in REQUESTS_CA_BUNDLE, SSL_CERT_FILE, CURL_CA_BUNDLE, NODE_EXTRA_CA_CERTS or javax.net.ssl.trustStore, and let the user of the program read the file.',
    'trust',
  ],
  [
    [
      'EPROTO ERR_SSL_WRONG_VERSION_NUMBER 0A00010B 1408F10B 0A000152 0A000410',
      /wrong version number|first record does not look like a TLS handshake|unsupported protocol/i,
      /unsafe legacy renegotiation disabled|handshake[_ ]failure|Unsupported or unrecognized SSL message/i,
    ],
    'The other side does not speak TLS in a form that this client accepts: a proxy or server without TLS at this port, or one with an old version.',
    'Check scheme and port of the address and of the proxy, and ask its operator for TLS 1.2 or 1.3.',
  ],
  [
    [
      'ERR_PROXY_CONNECTION_FAILED',
      /\b407\)? proxy|proxy authentication required|could not resolve proxy|cannot connect to proxy/i,
      /tunnel connection failed|CONNECT tunnel failed|unable to tunnel through proxy|proxyconnect tcp/i,
      /ProxyError\(/,
    ],
    'The proxy did not make the connection: its address is wrong, it wants credentials, or it does not allow the host.',
    'Correct HTTPS_PROXY, ask the operator of the proxy to allow the host, or exempt it in NO_PROXY.',
    'proxy',
  ],
  [
    [
      'EAI_AGAIN',
      /temporary failure in name resolution|server misbehaving/i,
      [/\blookup [\w.-]/i, /i\/o timeout|connection refused/i],
    ],
    'No DNS server of this machine responded. The name may be correct.',
    'Check the DNS servers of this machine or pod, and the network to them (port 53).',
  ],
  [
    [/https?:\/\/https?(?::|\/|$)/im],
    'The client puts https:// before a setting that begins with https:// itself.',
    'Set the host name alone, without https:// and without a path.',
  ],
  [
    [
      'ENOTFOUND EAI_NONAME',
      /no such host|name or service not known|nodename nor servname provided|could not resolve host/i,
      /remote name could not be resolved|no address associated with hostname|DNS server lookup failed/i,
      /UnknownHostException|NameResolutionError|failed to resolve '|getaddrinfo failed|\bNXDOMAIN\b/i,
    ],
    'No DNS server here knows the host name: the resource does not exist, its suffix belongs to another cloud, or this network has no record of it.',
    'Correct the name or its suffix, or add the name to the DNS server of this network (private zone, forwarder).',
  ],
  [
    ['ECONNREFUSED', /connection refused|actively refused it/i],
    'Nothing listens at this address and port, or a firewall refuses the connection.',
    'Correct host and port, start the service there, or open the firewall.',
  ],
  [
    [
      'ECONNRESET EPIPE',
      /connection reset\b|forcibly closed by the remote host|socket hang up|Connection aborted\./i,
      /unexpected EOF while reading|UNEXPECTED_EOF_WHILE_READING|EOF occurred in violation of protocol/i,
    ],
    'The host or a device on the network path closed the connection, often a firewall that inspects TLS.',
    'Ask the network team for a firewall or proxy on the path that does not allow this host.',
  ],
  [
    ['ENETUNREACH EHOSTUNREACH', /network is unreachable|no route to host/i],
    'This network has no route to the host.',
    'Connect this machine to the network of the cloud, or set the proxy that leads there.',
  ],
  [
    [/Unexpected token '?<'?|invalid character '<' looking for beginning of value|<!DOCTYPE html/i],
    'A web page came in place of the response: a sign-in page of the network, a proxy, or a portal.',
    'Check the address, and ask the network team to exempt the host from its sign-in page.',
  ],
  [
    [
      'TooManyRequests SubscriptionRequestsThrottled OperationNotAllowedThrottled',
      /\b429\b[^\n]{0,30}too many requests/i,
    ],
    'The service limits the number of requests.',
    'Wait for the time that it names, and look for a client that sends requests in a loop.',
  ],
  [
    [
      /authority.{0,40}must (?:be|use|start with) .{0,20}https|authority host .{0,60}(?:must|should) be/i,
      /well-formed URI format|Invalid authority.{0,60}URI|'activeDirectoryEndpoint' cannot be empty/i,
    ],
    'The authority URL is missing or malformed: it must be an https URL of the login host, with a tenant where the client wants one.',
    'Set the authority URL in the settings or the credentials file of the program.',
  ],
  [
    [
      'ETIMEDOUT ESOCKETTIMEDOUT UND_ERR_CONNECT_TIMEOUT',
      /i\/o timeout|connect(?:ion)? timed out|read(?: operation)? timed out|context deadline exceeded/i,
      [/connection to /i, /timed out/i],
      /ConnectTimeoutError|Client\.Timeout exceeded|HttpClient\.Timeout|TimeoutException/i,
      /mount error\(11[0-5]\)|WinError 10060|did not properly respond after a period of time|failed to connect to [^\n]{1,80} port \d+/i,
    ],
    'The host did not respond in time: a firewall drops the packets, or there is no route to the host.',
    'Allow traffic from this machine to the host, or set the proxy that leads there.',
  ],
  [
    [
      'IDX20803 IDX20804 endpoints_resolution_error',
      /unable to get authority configuration|unable to (?:obtain|retrieve) (?:configuration|document) from/i,
      /unable to download OpenID Connect configuration/i,
      /could not resolve endpoints|unable to resolve an endpoint/i,
    ],
    'The client could not read the OpenID configuration of the authority: the address or the tenant is wrong, or DNS, TLS or a proxy is in the way.',
    'Open AUTHORITY/TENANT/v2.0/.well-known/openid-configuration from this machine, and correct authority, tenant, trust or proxy. For a private authority, disable instance discovery.',
    'cloud',
  ],
]

/** What credentials say that had nothing to send. In a chain, the failure of the network behind one of them tells more. */
export const credentialTexts: readonly ErrorText[] = [
  [
    ['invalid_client', [/adal: Refresh request failed/i, /Status Code = '401'/]],
    'The login authority rejected the client: its id or its secret is wrong, or belongs to another cloud.',
    'Correct client id, secret and tenant, and check that the authority is that of their cloud.',
  ],
  [
    [
      /(?:tenant|client)[ _-]?id (?:cannot be|is|must not be) (?:empty|required|missing|not set)/i,
      /missing environment variable:? ['"]?AZURE_(?:TENANT|CLIENT)_ID/i,
    ],
    'The program has no tenant or no client id for its sign-in.',
    'Set the tenant and the client id in the settings of the program (AZURE_TENANT_ID, AZURE_CLIENT_ID).',
  ],
  [
    [/(?:post|get)_request_failed|network_error: Network request failed/],
    'The browser made no connection to the login authority, or the authority does not allow requests from the address of the page.',
    'Check authority and network, and register the redirect address of the page as a single-page application.',
  ],
  [
    [
      [/ManagedIdentityCredential/i, /(?<!acquired a token from )AzureCliCredential/i],
      /incomplete environment variable configuration|environment variables are not fully configured/i,
      /(?:DefaultAzureCredential|ChainedTokenCredential) failed to (?:retrieve|acquire) a token/i,
      /failed to retrieve a token from the included credentials/i,
    ],
    'No credential of the chain is configured for this process.',
    'Configure one: AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, a workload identity, a managed identity, or the sign-in of a tool.',
  ],
  [
    [
      /managed ?identity (?:authentication )?(?:is )?(?:unavailable|not available)|no managed identity endpoint found/i,
      [/ManagedIdentityCredential/i, /unavailable|no (?:response|managed identity)/i],
      /\bIdentity not found\b/,
      /MSI (?:is )?not (?:available|supported)|nmi response failed with status code|getting assigned identities for pod/i,
    ],
    ...noIdentity,
  ],
  [
    [
      /no client ID specified\. Check pod configuration|workload options are not fully configured/i,
      /WorkloadIdentityCredential[^\n]{0,160}(?:unavailable|not configured)(?![\s\S]*AzureCliCredential)/i,
    ],
    "The pod has no federated token: the cluster's webhook did not change it.",
    'Label the pod azure.workload.identity/use: "true", and annotate its service account with the client id.',
  ],
  [
    [
      /no authorization tokens were found|no cached token found, please log ?in|please run ['"]?az login|run Connect-AzAccount to log ?in|authentication needed, call Connect-/i,
      [/az account get-access-token/i, /non-zero/i],
      /Azure credentials have not been set up or have expired/i,
    ],
    'The command-line tool is not signed in, or not to this cloud and tenant.',
    'Select the cloud in the tool, then sign in.',
    'login',
  ],
  [
    [
      /Azure CLI (?:could )?not (?:be )?found|Azure CLI not found|(?:az|azure-cli|kubelogin): command not found/i,
      /exec: "(?:az|kubelogin)": executable file not found|executable kubelogin not found/i,
    ],
    'The program takes its sign-in from a tool (az or kubelogin) that is not in PATH.',
    'Install the tool and open a new terminal, or configure another credential.',
    'login',
  ],
]
