import type { CloudProfile } from '../profile/cloud-profile.ts'
import { shouldDisableInstanceDiscovery } from '../profile/instance-discovery.ts'
import { azCloud, azCloudOptions } from './az-cloud.ts'
import { header } from './header.ts'
import { formatJson, quoteShell } from './quote.ts'
import { toolCloudOf } from './tool-clouds.ts'

/** A POSIX shell script that registers the cloud with `az`, makes it the active one, and logs in. */
export function exportAz(profile: CloudProfile): string {
  const known = toolCloudOf(profile)
  const setUp = known === undefined ? registration(profile) : `az cloud set --name=${quoteShell(known.az)}\n`
  const notes = [
    'With a private certificate authority, first: export REQUESTS_CA_BUNDLE=/path/of/ca.pem',
    ...(known === undefined ? ['Registered before? Use "az cloud update" with the same options.'] : []),
  ]
  return `${header(profile, '#', ...notes)}set -eu\n${setUp}${login(profile)}`
}

/** JSON for `az cloud register --name NAME --cloud-config @FILE`. */
export function exportAzJson(profile: CloudProfile): string {
  return formatJson(azCloud(profile))
}

function registration(profile: CloudProfile): string {
  const cloud = azCloud(profile)
  const options = azCloudOptions(cloud).map(([option, value]) => `--${option}=${quoteShell(value)}`)
  const discovery = shouldDisableInstanceDiscovery(profile.authorityHost)
    ? [
        '# The public instance discovery does not know this authority. An az from before late 2023 lacks this setting.',
        'az config set core.instance_discovery=false --only-show-errors',
      ]
    : []
  return [
    `az cloud register \\\n  ${options.join(' \\\n  ')}`,
    `az cloud set --name=${quoteShell(cloud.name)}`,
    ...discovery,
    '',
  ].join('\n')
}

/** `az` resolves a tenant that is no GUID, and cannot resolve the tenant of a federation service. */
function login({ tenantId = '' }: CloudProfile): string {
  const tenant =
    tenantId.toLowerCase() === 'adfs'
      ? '# Beside a federation service, az wants the GUID of the directory: export PLATFORM_DIRECTORY_ID=GUID\ntenant="${PLATFORM_DIRECTORY_ID:-}"\n'
      : `tenant=${quoteShell(tenantId)}\ntenant="\${PLATFORM_TENANT_ID:-$tenant}"\n`
  const option = '${tenant:+--tenant="$tenant"}'
  return `${tenant}if [ -n "\${PLATFORM_CLIENT_SECRET:-}" ]; then
  az login --service-principal --allow-no-subscriptions ${option} \\
    --username="$PLATFORM_CLIENT_ID" --password="$PLATFORM_CLIENT_SECRET"
else
  az login --use-device-code --allow-no-subscriptions ${option}
fi
`
}
