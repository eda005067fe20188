import { quoteShell } from '../../lib/base/printable.ts'
import { toolNameOf } from '../../lib/clouds/tool-names.ts'
import { azCloud, type AzStep, azSteps } from '../../lib/profile/az-cloud.ts'
import { type ResolvedCloud, resolveProvider } from '../../lib/profile/identity-provider.ts'
import { defineExport } from './define-export.ts'
import { formatJson, inComment } from './quote.ts'

export const azExport = defineExport({
  name: 'az',
  what: 'shell script: register the cloud, set it, log in (not with its argument --no-login)',
  group: 'command-line',
  comment: '#',
  isScript: true,
  addByHand:
    'PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET, or a device code; REQUESTS_CA_BUNDLE; for a federation service PLATFORM_DIRECTORY_ID',
  reader: 'azure-cli 2.91',
  notes: (profile) => [
    'For a private certificate authority, run first: export REQUESTS_CA_BUNDLE=/path/of/ca.pem',
    ...(toolNameOf(profile, 'az') === undefined
      ? [
          'az cloud list shows the registered clouds, az cloud show the active one.',
          'If the cloud is already registered, use "az cloud update" with the same options.',
          'The public instance discovery does not know a private authority, and az before late 2023 cannot disable it.',
        ]
      : []),
    // az requires an audience for a federated credential. At sign-in, this cloud refuses the public cloud's audience (AADSTS700212).
    ...(profile.federatedAudience === undefined
      ? []
      : [`A federated credential of this cloud: --audiences ${federatedAudience(profile.federatedAudience)}`]),
  ],
  write(profile) {
    const cloud = resolveProvider({ profile })
    return `set -eu\n${azSteps(cloud).map(formatStep).join('')}${login(cloud)}`
  },
})

const federatedAudience = (audience: string): string =>
  /^api:\/\/[\w.-]+$/.test(audience) ? audience : inComment(audience)

export const azJsonExport = defineExport({
  name: 'az-json',
  what: 'JSON for az cloud register --cloud-config',
  group: 'command-line',
  addByHand: '`az cloud register --name NAME --cloud-config @FILE`, `az cloud set`, the login; REQUESTS_CA_BUNDLE',
  reader: 'azure-cli 2.91',
  write: (profile) => formatJson(azCloud(resolveProvider({ profile }))),
})

function formatStep({ command, options }: AzStep): string {
  const words = options.map(([option, value]) => `--${option}=${quoteShell(value)}`)
  const joint = words.length > 2 ? ' \\\n  ' : ' '
  return `${[`az ${command}`, ...words, ...(command.startsWith('config') ? ['--only-show-errors'] : [])].join(joint)}\n`
}

/** `az` looks up a tenant that isn't a GUID. It can't look up the tenant of a federation service. */
function login({ provider: { kind, tenantId = '' } }: ResolvedCloud): string {
  const tenant =
    kind === 'federation-service'
      ? '# With a federation service, az needs the GUID of the directory: export PLATFORM_DIRECTORY_ID=GUID\ntenant="${PLATFORM_DIRECTORY_ID:-}"\n'
      : `tenant=${quoteShell(tenantId)}\ntenant="\${PLATFORM_TENANT_ID:-$tenant}"\n`
  const option = '${tenant:+--tenant="$tenant"}'
  return `${tenant}if [ "\${1:-}" = --no-login ]; then
  :
elif [ -n "\${PLATFORM_CLIENT_SECRET:-}" ]; then
  # The secret is passed by stdin, because the process list shows arguments.
  printf %s "$PLATFORM_CLIENT_SECRET" | az login --service-principal --allow-no-subscriptions ${option} \\
    --username="$PLATFORM_CLIENT_ID" --password=@-
else
  az login --use-device-code --allow-no-subscriptions ${option}
fi
`
}
