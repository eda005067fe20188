import type { ExportFormat } from './define-export.ts'
import { ansibleExport, ansibleSitecustomizeExport } from './export-ansible.ts'
import { azExport, azJsonExport } from './export-az.ts'
import { dotnetExport } from './export-dotnet.ts'
import { envExport } from './export-env.ts'
import { goAutorestExport } from './export-go-autorest.ts'
import { goExport } from './export-go.ts'
import { javaExport } from './export-java.ts'
import { kubeloginExport } from './export-kubelogin.ts'
import { powershellExport } from './export-powershell.ts'
import { pulumiExport } from './export-pulumi.ts'
import { pythonExport } from './export-python.ts'
import { terraformExport } from './export-terraform.ts'
import { typescriptExport } from './export-typescript.ts'
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
  typescriptExport,
  pythonExport,
  dotnetExport,
  javaExport,
  goExport,
]

/** Every export by its name. */
export const exportFormats: Readonly<Record<string, ExportFormat>> = Object.fromEntries(
  formats.map((format) => [format.name, format]),
)
