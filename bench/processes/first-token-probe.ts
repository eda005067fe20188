import { createRequire } from 'node:module'
import type { TokenCredential } from '@azure/identity'
import { acquireToken } from './acquire-token.ts'

// Measures how long it takes to load a bundled credential and to acquire its first token.
const file = process.argv[2] ?? ''
const require = createRequire(file)
const result = await acquireToken(() => (require(file) as { createCredential(): TokenCredential }).createCredential())
process.stdout.write(JSON.stringify(result))
process.exit()
