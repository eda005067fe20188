#!/usr/bin/env node
// pre-commit installs the repository below node_modules, where Node removes no types from sources.
import { readFileSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

if (module.registerHooks === undefined || module.stripTypeScriptTypes === undefined) {
  process.stderr.write(
    `cloud-profile-scan from the sources needs Node 22.15 or 24, and this is Node ${process.versions.node}\n`,
  )
  process.exit(2)
}
process.removeAllListeners('warning')
module.registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context)
    const source = module.stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
    return { format: 'module', shortCircuit: true, source }
  },
})
await import('./src/cloud-profile-scan.ts')
