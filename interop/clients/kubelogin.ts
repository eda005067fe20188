import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client, Installation, Mode, Stage } from '../client.ts'
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

/** What kubectl would run for the user: read by the tool's own parser, from what the tool wrote. */
async function getToken(stage: Stage, login: string, options: readonly string[], env: Record<string, string>) {
  const { enclave, home, cache, exportTo, run } = stage
  const path = join(home, 'kubeconfig')
  const serverId = enclave.resourceManagerAudience.replace(/\/$/, '')
  await writeFile(path, kubeconfig(serverId))
  const script = await exportTo('convert.sh', 'kubelogin')
  const environment = await exportTo('cloud-environment.json', 'go-autorest')
  const variables = {
    PATH: `${join(cache, 'bin')}:${process.env['PATH'] ?? ''}`,
    KUBECONFIG: path,
    AZURE_ENVIRONMENT_FILEPATH: environment,
    AZURE_CONFIG_DIR: home,
    ...env,
  }
  await run('sh', [script, `--login=${login}`, `--server-id=${serverId}`, ...options], { env: variables })
  const args = argumentsIn(await readFile(path, 'utf8'))
  const credential = JSON.parse(await run('kubelogin', args, { env: variables })) as { status: { token: string } }
  await run('curl', [
    '--silent',
    '--show-error',
    '--fail',
    '--cacert',
    stage.files.authorityPath,
    '--header',
    `Authorization: Bearer ${credential.status.token}`,
    `${enclave.resourceManagerEndpoint}subscriptions?api-version=2022-12-01`,
  ])
}

/** The arguments in a kubeconfig of one user, one a line as the tool writes them. */
function argumentsIn(text: string): string[] {
  const block = /\n( *)args:\n((?:\1 *- .*\n)+)/.exec(text)?.[2] ?? ''
  return block
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) =>
      line
        .trim()
        .slice(2)
        .replace(/^"(.*)"$/, '$1'),
    )
}

const mode = (
  login: string,
  set: string,
  given: (stage: Stage) => readonly [options: readonly string[], env: Record<string, string>],
): Mode => ({
  name: login,
  authority: 'tenants',
  set: `the script of \`export kubelogin\`; ${set}; SSL_CERT_FILE`,
  run: (stage) => getToken(stage, login, ...given(stage)),
})

export const kubelogin: Client = {
  name: 'kubelogin',
  version: '0.2.21',
  exports: ['kubelogin'],
  inCi: false,
  traps: [],
  install: (installation: Installation) => buildTool(installation, 'kubelogin', 'github.com/Azure/kubelogin'),
  modes: [
    mode('spn', 'AAD_SERVICE_PRINCIPAL_CLIENT_ID and …_SECRET', ({ enclave: { clientId, clientSecret } }) => [
      [],
      { AAD_SERVICE_PRINCIPAL_CLIENT_ID: clientId, AAD_SERVICE_PRINCIPAL_CLIENT_SECRET: clientSecret },
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
    mode('msi', 'IDENTITY_ENDPOINT, IDENTITY_HEADER', ({ enclave: { managedIdentity } }) => [
      [],
      { IDENTITY_ENDPOINT: managedIdentity.appService.endpoint, IDENTITY_HEADER: managedIdentity.appService.header },
    ]),
  ],
}
