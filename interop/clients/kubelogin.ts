import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client, Installation, Mode, Stage } from '../client.ts'
import { installDebian } from './debian.ts'
import { buildTool } from './go.ts'

/** A kubeconfig as the cluster's owner hands it out: its user logs in with kubelogin, for the public cloud. */
const kubeconfig = (serverId: string): string => `apiVersion: v1
kind: Config
clusters: [{ name: enclave, cluster: { server: "https://localhost:6443" } }]
contexts: [{ name: enclave, context: { cluster: enclave, user: enclave } }]
current-context: enclave
users:
  - name: enclave
    user:
      exec:
        apiVersion: client.authentication.k8s.io/v1beta1
        command: kubelogin
        args: [get-token, --login, devicecode, --server-id, "${serverId}"]
        interactiveMode: IfAvailable
        provideClusterInfo: false
`

interface KubeConfig {
  readonly users: readonly { readonly user: { readonly exec: { readonly command: string; readonly args: string[] } } }[]
}

/** Rewrites the user with our script, then does what kubectl does with it, and uses the token. */
async function getToken(stage: Stage, login: string, options: readonly string[], env: Record<string, string>) {
  const { enclave, files, home, cache, exportTo, run } = stage
  const config = join(home, 'kubeconfig')
  const serverId = enclave.resourceManagerAudience.replace(/\/$/, '')
  await writeFile(config, kubeconfig(serverId))
  const script = await exportTo('user.sh', 'kubelogin')
  const variables = { PATH: `${join(cache, 'bin')}:${process.env['PATH'] ?? ''}`, KUBECONFIG: config, ...env }
  await run('sh', [script, `--login=${login}`, `--server-id=${serverId}`, ...options], { env: variables })
  const view = await run('kubectl', ['config', 'view', '--raw', '--output', 'json'], { env: variables })
  const [written] = (JSON.parse(view) as KubeConfig).users
  const { command = '', args = [] } = written?.user.exec ?? {}
  const credential = JSON.parse(await run(command, args, { env: variables })) as { status: { token: string } }
  const address = `${enclave.resourceManagerEndpoint}subscriptions?api-version=2022-12-01`
  // The cluster's part: whatever takes the token. On stdin, so that it stands in no list of processes.
  const request = `header = "Authorization: Bearer ${credential.status.token}"\nurl = "${address}"\n`
  await run('curl', ['--silent', '--show-error', '--fail', '--cacert', files.authorityPath, '--config', '-'], {
    input: request,
  })
}

const mode = (
  login: string,
  set: string,
  given: (stage: Stage) => readonly [options: readonly string[], env: Record<string, string>],
  reaches?: Mode['reaches'],
): Mode => ({
  name: login,
  authority: 'tenants',
  set: `the script of \`export kubelogin\`; ${set}; SSL_CERT_FILE`,
  run: (stage) => getToken(stage, login, ...given(stage)),
  ...(reaches === undefined ? {} : { reaches }),
})

export const kubelogin: Client = {
  name: 'kubelogin',
  version: '0.2.21',
  exports: ['kubelogin'],
  inCi: false,
  traps: [
    '`kubelogin convert-kubeconfig` accepts `--authority-host` and `--disable-instance-discovery` and drops both, so its result contacts the public cloud. Our script writes the user with kubectl instead.',
    'It reads AZURE_AUTHORITY_HOST for `--login=workloadidentity` only.',
    'It no longer reads AZURE_ENVIRONMENT_FILEPATH, although its documentation says so.',
  ],
  install: async (installation: Installation) => {
    await installDebian(installation, 'kubectl', 'kubernetes-client')
    await installation.run('cp', [join(installation.cache, 'kubectl/usr/bin/kubectl'), join(installation.cache, 'bin')])
    await buildTool(installation, 'kubelogin', 'github.com/Azure/kubelogin')
  },
  modes: [
    mode('spn', '--client-id, AAD_SERVICE_PRINCIPAL_CLIENT_SECRET', ({ enclave: { clientId, clientSecret } }) => [
      [`--client-id=${clientId}`],
      { AAD_SERVICE_PRINCIPAL_CLIENT_SECRET: clientSecret },
    ]),
    mode('devicecode', '--client-id', ({ enclave: { clientId } }) => [[`--client-id=${clientId}`], {}]),
    mode('workloadidentity', '--client-id, --federated-token-file', ({ enclave: { clientId }, files }) => [
      [`--client-id=${clientId}`, `--federated-token-file=${files.federatedTokenPath}`],
      {},
    ]),
    mode('ropc', '--client-id, AAD_USER_PRINCIPAL_NAME and …_PASSWORD', ({ enclave }) => [
      [`--client-id=${enclave.clientId}`],
      { AAD_USER_PRINCIPAL_NAME: enclave.username, AAD_USER_PRINCIPAL_PASSWORD: enclave.password },
    ]),
    mode(
      'msi',
      'IDENTITY_ENDPOINT, IDENTITY_HEADER',
      ({ enclave: { managedIdentity } }) => [
        [],
        { IDENTITY_ENDPOINT: managedIdentity.appService.endpoint, IDENTITY_HEADER: managedIdentity.appService.header },
      ],
      ['managed-identity', 'resource-manager'],
    ),
  ],
}
