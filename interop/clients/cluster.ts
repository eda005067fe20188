import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, type Installation, type Stage, withDiscovery } from '../client.ts'
import { buildTool } from './go.ts'

const listRecords = async ({ enclave, home, cache, exported, run }: Stage): Promise<void> => {
  const config = JSON.parse(await exported('azure-json')) as Record<string, string>
  const path = join(home, 'azure.json')
  const given = {
    subscriptionId: enclave.subscriptionId,
    resourceGroup: 'example',
    aadClientId: enclave.clientId,
    aadClientSecret: enclave.clientSecret,
  }
  await writeFile(path, JSON.stringify({ ...config, ...given }), { mode: 0o600 })
  await run(join(cache, 'bin/external-dns'), [path])
}

export const externalDns: Client = {
  name: 'Azure provider of external-dns',
  version: '0.20.0',
  exports: ['azure-json'],
  inCi: false,
  traps: [
    'The program is `provider/azure` of external-dns in a small main that lists all zones: the whole program needs a cluster.',
    'It has no switch for instance discovery.',
    'It appends `/.default` to `resourceManagerAudience`, so the export writes it without its final slash.',
  ],
  install: (installation: Installation) => buildTool(installation, 'external-dns', '.'),
  modes: withDiscovery(
    '`export azure-json` with subscription, resource group, client and secret; SSL_CERT_FILE',
    listRecords,
  ),
}
