import { builtService } from '../../support/build.ts'
import { chunkOf } from '../../support/project-copy.ts'

/** The file of this run's build that holds everything which may contact anybody. */
export function deployedChunk(): string {
  return chunkOf(builtService().deployable, 'diagnostics')
}
