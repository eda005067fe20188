import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { acquireToken, readCachedTokens } from './acquire-token.ts'
import { respondToParent } from './respond-to-parent.ts'
import { createCredential as createBare } from './bare-credential.ts'
import { createCredential as createOurs } from './our-credential.ts'

/** The credential to use, and whether its token is cached. */
export type TokenJob = { readonly credential: 'ours' | 'bare'; readonly isCached?: true }

const warm = { ours: createOurs(), bare: createBare() }

const sockets = new Set<Socket>()
subscribe('net.client.socket', (message) => sockets.add((message as { socket: Socket }).socket))

// Each message gets the first token of a fresh credential over a new connection. The connections of earlier credentials would be reused, so they
// are closed.
respondToParent((message) => {
  const { credential, isCached } = message as TokenJob
  if (isCached) return readCachedTokens(warm[credential])
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  return acquireToken(credential === 'ours' ? createOurs : createBare)
})
