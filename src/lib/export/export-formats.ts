import type { CloudProfile } from '../profile/cloud-profile.ts'
import { exportAnsible } from './export-ansible.ts'
import { exportAz, exportAzJson } from './export-az.ts'
import { exportDotnet } from './export-dotnet.ts'
import { exportEnv } from './export-env.ts'
import { exportGoAutorest } from './export-go-autorest.ts'
import { exportGo } from './export-go.ts'
import { exportJava } from './export-java.ts'
import { exportKubelogin, exportWorkloadIdentity } from './export-kubernetes.ts'
import { exportPowerShell } from './export-powershell.ts'
import { exportPulumi } from './export-pulumi.ts'
import { exportPython } from './export-python.ts'
import { exportTerraform } from './export-terraform.ts'
import { exportTypeScript } from './export-typescript.ts'

/** One way to hand a profile to another tool. */
export interface ExportFormat {
  /** For the help text. */
  readonly what: string
  /** The whole text, with a final line break. Never holds a secret. */
  readonly render: (profile: CloudProfile) => string
  /** Whether it is a script that configures a tool, which must not learn a placeholder. */
  readonly isScript?: true
}

/** Every export by its name. */
export const exportFormats: Readonly<Record<string, ExportFormat>> = {
  env: { what: 'variables to source in a POSIX shell', render: exportEnv },
  az: { what: 'shell script: register the cloud with az, set it, log in', render: exportAz, isScript: true },
  'az-json': { what: 'JSON for az cloud register --cloud-config', render: exportAzJson },
  powershell: { what: 'PowerShell script: add the environment, sign in', render: exportPowerShell, isScript: true },
  'go-autorest': { what: 'JSON for AZURE_ENVIRONMENT_FILEPATH', render: exportGoAutorest },
  terraform: { what: 'provider blocks', render: exportTerraform },
  pulumi: { what: 'configuration of a stack', render: exportPulumi },
  ansible: { what: 'defaults of a play for azure.azcollection', render: exportAnsible },
  kubelogin: { what: 'shell script: convert a kubeconfig', render: exportKubelogin },
  'workload-identity': { what: 'Helm values of the webhook', render: exportWorkloadIdentity },
  typescript: { what: 'module for @azure/identity', render: exportTypeScript },
  python: { what: 'module for azure-identity', render: exportPython },
  dotnet: { what: 'C# class for Azure.Identity', render: exportDotnet },
  java: { what: 'class for azure-identity', render: exportJava },
  go: { what: 'package for azidentity', render: exportGo },
}
