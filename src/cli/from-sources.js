import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// What the npm scripts call: the command line of a checkout. What Node makes of a source, the next command takes over; else taking types
// out again would be most of a short one. Where nothing can be written, each begins anew. This file has no types, so it costs nothing, and
// a package, which may lie where others can write, does not hold it.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)))
await import('./cloud-profile.ts')
