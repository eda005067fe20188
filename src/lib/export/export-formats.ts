import type { ExportFormat } from './define-export.ts'
import { ansibleExport, ansibleSitecustomizeExport } from './export-ansible.ts'
import { azExport, azJsonExport } from './export-az.ts'
import { azcopyExport } from './export-azcopy.ts'
import { azureJsonExport } from './export-azure-json.ts'
import { dotnetExport } from './export-dotnet.ts'
import { envExport } from './export-env.ts'
import { externalSecretsExport } from './export-external-secrets.ts'
import { fluxExport } from './export-flux.ts'
import { goAutorestExport } from './export-go-autorest.ts'
import { goExport } from './export-go.ts'
import { grafanaExport } from './export-grafana.ts'
import { javaExport } from './export-java.ts'
import { kedaExport } from './export-keda.ts'
import { kubeloginExport } from './export-kubelogin.ts'
import { powershellExport } from './export-powershell.ts'
import { prometheusExport } from './export-prometheus.ts'
import { pulumiExport } from './export-pulumi.ts'
import { pythonExport } from './export-python.ts'
import { rcloneExport } from './export-rclone.ts'
import { resticExport } from './export-restic.ts'
import { rustExport } from './export-rust.ts'
import { secretsStoreCsiExport } from './export-secrets-store-csi.ts'
import { terraformExport } from './export-terraform.ts'
import { typescriptExport } from './export-typescript.ts'
import { veleroExport } from './export-velero.ts'
import { workloadIdentityExport } from './export-workload-identity.ts'

/** Every export, in the order of the help within its group. */
const formats: readonly ExportFormat[] = [
  envExport,
  azExport,
  azJsonExport,
  powershellExport,
  terraformExport,
  pulumiExport,
  ansibleExport,
  ansibleSitecustomizeExport,
  goAutorestExport,
  kubeloginExport,
  workloadIdentityExport,
  azureJsonExport,
  externalSecretsExport,
  kedaExport,
  secretsStoreCsiExport,
  fluxExport,
  rcloneExport,
  azcopyExport,
  resticExport,
  veleroExport,
  grafanaExport,
  prometheusExport,
  typescriptExport,
  pythonExport,
  dotnetExport,
  javaExport,
  goExport,
  rustExport,
]

/** Every export by its name. */
export const exportFormats: Readonly<Record<string, ExportFormat>> = Object.fromEntries(
  formats.map((format) => [format.name, format]),
)
