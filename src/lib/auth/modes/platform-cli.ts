import { createEgressPolicy } from '../../transport/egress.ts'
import type { Secret } from '../../base/secret.ts'
import type { BasePlan, Mode } from './mode.ts'

/** Signs in to no authority: the tool uses the cloud that is registered in it. */
export interface PlatformCliPlan extends BasePlan {
  readonly mode: 'platformCli'
  /** The environment of the tool; values may hold the password of a proxy. */
  readonly environment: Secret<Readonly<Record<string, string>>>
  /** Whether this process runs in a container, where tools are part of the image. */
  readonly isContainer: boolean
  readonly tenantId?: string
}

export const platformCli: Mode<PlatformCliPlan> = {
  credential: 'CommandLineCredential',
  use: 'development',
  needs: 'the command-line tool, logged in to this cloud',
  configured: () => true,
  plan(profile, { tenantId = profile.tenantId, toolEnvironment: environment, injected }) {
    const isContainer = injected.kubernetesHost !== undefined || process.pid === 1
    return { egress: createEgressPolicy({}), environment, isContainer, ...(tenantId === undefined ? {} : { tenantId }) }
  },
  async build({ tenantId, environment, isContainer }) {
    // Loads `node:child_process`, which no other mode needs.
    const { getToolToken } = await import('../tool/get-tool-token.ts')
    return {
      getToken: (scope, { abortSignal: signal, tenantId: asked = tenantId }) =>
        getToolToken({ scope, tenantId: asked, environment: environment.reveal(), isContainer, signal }),
    }
  },
  failure: { code: 'CLI_FAILED', message: 'The command-line tool failed' },
}
