import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, type Mode, type Stage, secretOf } from '../client.ts'
import { buildTool } from './go.ts'

interface Provider {
  readonly name: 'azurerm' | 'azuread'
  readonly module: string
  /** What makes a plan of an otherwise empty configuration log in. */
  readonly configuration: string
}

/** The block of one provider, from an export that has one for each. */
function blockOf(provider: string, text: string): string {
  return new RegExp(`^provider "${provider}" \\{\\n[^]*?^\\}\\n`, 'm').exec(text)?.[0] ?? ''
}

/** A plan, with the provider that the cache has in place of any registry's. */
async function plan(stage: Stage, { name, configuration }: Provider): Promise<void> {
  const { enclave, home, cache, exported, metadataHost, run } = stage
  const host = await metadataHost()
  const blocks = await exported('terraform', { metadataEndpoint: `${host}/metadata/endpoints` })
  const providers = join(home, 'providers')
  await mkdir(providers)
  await copyFile(join(cache, 'bin', `terraform-provider-${name}`), join(providers, `terraform-provider-${name}`))
  const source = `hashicorp/${name}`
  const required = `terraform {\n  required_providers {\n    ${name} = { source = "${source}" }\n  }\n}\n`
  await writeFile(join(home, 'main.tf'), `${required}${blockOf(name, blocks)}${configuration}`)
  const settings = `provider_installation {\n  dev_overrides {\n    "${source}" = "${providers}"\n  }\n  direct {}\n}\n`
  await writeFile(join(home, 'terraform.rc'), settings)
  const secret = secretOf(enclave)
  await run(join(cache, 'bin/terraform'), ['plan', '-no-color', '-input=false'], {
    env: {
      TF_CLI_CONFIG_FILE: join(home, 'terraform.rc'),
      ARM_CLIENT_ID: secret['PLATFORM_CLIENT_ID'] ?? '',
      ARM_CLIENT_SECRET: secret['PLATFORM_CLIENT_SECRET'] ?? '',
      ARM_SUBSCRIPTION_ID: enclave.subscriptionId,
    },
  })
}

const mode = (provider: Provider): Mode => ({
  name: `plan with ${provider.name}, secret`,
  authority: 'tenants',
  set: 'the block of `export terraform`, our metadata host; ARM_CLIENT_ID, ARM_CLIENT_SECRET, ARM_SUBSCRIPTION_ID, SSL_CERT_FILE',
  run: (stage) => plan(stage, provider),
})

const azurerm: Provider = {
  name: 'azurerm',
  module: 'github.com/hashicorp/terraform-provider-azurerm',
  configuration: 'data "azurerm_subscription" "current" {}\n',
}

/** Terraform itself, and the one current provider that the Go module proxy has. It is large: its build takes long. */
export const terraform: Client = {
  name: 'terraform with azurerm',
  version: '1.8.5 and 4.0-2026-08-24',
  exports: ['terraform'],
  inCi: false,
  onRequest: true,
  traps: [],
  install: async (installation) => {
    await buildTool(installation, 'terraform', 'github.com/hashicorp/terraform')
    await buildTool(installation, 'terraform-provider-azurerm', azurerm.module)
  },
  modes: [mode(azurerm)],
}
