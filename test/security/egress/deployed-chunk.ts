import { join } from 'node:path'
import { builtService } from '../../support/build.ts'

/** The file of this run's build that holds everything which may contact anybody. */
export function deployedChunk(): string {
  return join(builtService().deployable, 'dist/diagnostics.cjs')
}
