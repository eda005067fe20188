import { createRequire } from 'node:module'
import type { TokenCredential } from '@azure/identity'
import { acquireToken } from './acquire-token.ts'

// Loads a bundled credential and gets its first token, all in the time that is taken.
const file = process.argv[2] ?? ''
const require = createRequire(file)
const result = await acquireToken(() => (require(file) as { createCredential(): TokenCredential }).createCredential())
process.stdout.write(JSON.stringify(result))
process.exit()
