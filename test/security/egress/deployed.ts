import { builtService, bundledCommand } from '../../support/build.ts'
import { chunkOf } from '../../support/project-copy.ts'

/** What a run of the egress tests starts. */
export interface Deployed {
  /** The file of this run's build that holds everything which may contact anybody. */
  readonly chunk: string
  /** The bundled `children/probe-cloud.ts`, which loads it. */
  readonly program: string
}

export function deployed(): Deployed {
  return { chunk: chunkOf(builtService().deployable, 'diagnostics'), program: bundledCommand('probe-cloud') }
}
