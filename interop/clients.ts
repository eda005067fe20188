import type { Client } from './client.ts'
import { ansible } from './clients/ansible.ts'
import { azureCli, debianCli } from './clients/az.ts'
import { externalDns } from './clients/cluster.ts'
import { azidentity, goAutorest, goAzureSdk } from './clients/go.ts'
import { java, oldestJava } from './clients/java.ts'
import { javascript } from './clients/javascript.ts'
import { kubelogin } from './clients/kubelogin.ts'
import { msalPython, oldestPython, python } from './clients/python.ts'
import { rust } from './clients/rust.ts'
import { opentofu, velero } from './clients/storage.ts'
import { terraform } from './clients/terraform.ts'

/** Every client, in the order of the table. */
export const clients: readonly Client[] = [
  azureCli,
  debianCli,
  python,
  oldestPython,
  msalPython,
  azidentity,
  goAzureSdk,
  goAutorest,
  kubelogin,
  ansible,
  java,
  oldestJava,
  javascript,
  terraform,
  opentofu,
  externalDns,
  velero,
  rust,
]
