#!/usr/bin/env node
// pre-commit installs the repository below node_modules, where Node removes no types from sources.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

process.removeAllListeners('warning')
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context)
    return {
      format: 'module',
      shortCircuit: true,
      source: stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8')),
    }
  },
})
await import('./src/cloud-profile-scan.ts')
