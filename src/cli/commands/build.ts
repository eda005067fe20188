import { buildBundle } from '../../../build.ts'
import { buildLibrary } from '../build/build-library.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit.ts'

export const command = defineCommand({
  description: 'Builds the bundle that is deployed, and the library with its types, into dist.',
  options: {},
  async run() {
    await buildBundle()
    await buildLibrary()
    return exitCodes.passed
  },
})
