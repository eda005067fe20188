import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

// The npm scripts run this file. It is JavaScript, so that it starts fast, and so that an older Node can read it.
if (process.features.typescript) {
  // Removing the types takes most of the time of a short command. Not in a package: other users may be able to write to its folder.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)))
  await import('./cloud-profile.ts')
} else {
  process.stderr.write(
    `The sources need Node 22.18 or 24, and this is Node ${process.versions.node}. Run "npm ci", and start commands with "npm run", which uses the Node 24 in node_modules\n`,
  )
  process.exitCode = 2
}
