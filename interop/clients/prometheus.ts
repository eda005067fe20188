import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Authority, Client, Mode } from '../client.ts'
import { installDebian } from './debian.ts'

const mode = (authority: Authority): Mode => ({
  name: 'azure_sd, secret',
  authority,
  asksForEndpoint: true,
  set: '`export prometheus` with subscription, client and secret; `export go-autorest` in AZURE_ENVIRONMENT_FILEPATH; SSL_CERT_FILE',
  run: async ({ enclave, home, cache, exported, exportTo, run }) => {
    const { subscriptionId, clientId, clientSecret } = enclave
    const text = (await exported('prometheus'))
      .replace('subscription_id: SUBSCRIPTION_ID', `subscription_id: ${subscriptionId}`)
      .replace('client_id: CLIENT_ID', `client_id: ${clientId}`)
      .replace('client_secret: CLIENT_SECRET', `client_secret: "${clientSecret}"`)
    await writeFile(join(home, 'prometheus.yml'), text)
    const environment = await exportTo('environment.json', 'go-autorest')
    // It runs until it is stopped; it discovers at its start.
    const words = ['--preserve-status', '--signal=TERM', '15', join(cache, 'prometheus/usr/bin/prometheus')]
    const options = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', '--web.listen-address=127.0.0.1:0']
    await run('timeout', [...words, ...options], { env: { AZURE_ENVIRONMENT_FILEPATH: environment } })
  },
})

export const prometheus: Client = {
  name: 'Prometheus of Debian 12',
  version: '2.42.0',
  exports: ['prometheus', 'go-autorest'],
  inCi: false,
  traps: [
    'It requests a token for the resource manager endpoint, whatever audience the cloud publishes. In a cloud that does not accept its endpoint as an audience it gets AADSTS500011. This run used `enclave --lenient`.',
    'Version 3 takes known clouds by name only, and refuses to start with `AzureStackCloud`.',
  ],
  install: (installation) => installDebian(installation, 'prometheus', 'prometheus'),
  modes: [mode('tenants'), mode('federation service')],
}
