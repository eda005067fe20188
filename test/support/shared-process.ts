import { ManagedIdentityApplication } from '@azure/msal-node'
import { afterAll } from 'vitest'

/** Where the library keeps, once anything asked for a managed identity, its tokens and its endpoint for the life of the process. */
const library = ManagedIdentityApplication as unknown as { nodeStorage?: unknown }

afterAll(() => {
  if (library.nodeStorage === undefined) return
  library.nodeStorage = undefined
  throw new Error(
    'This file asks for a managed identity, and the next one in this process would get the same endpoint: add it to `managedIdentity` in vitest.config.ts',
  )
})
