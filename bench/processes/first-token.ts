import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { acquireToken, readCachedTokens } from './acquire-token.ts'
import { answerParent } from './answer-parent.ts'
import { createCredential as createBare } from './bare-credential.ts'
import { createCredential as createOurs } from './our-credential.ts'

/** Whose credential gets a token: a fresh one, or one that has it in its cache. */
export type TokenJob = { readonly credential: 'ours' | 'bare'; readonly isCached?: true }

const warm = { ours: createOurs(), bare: createBare() }

const sockets = new Set<Socket>()
subscribe('net.client.socket', (message) => sockets.add((message as { socket: Socket }).socket))

// Makes a fresh credential for each message and gets its first token over a new connection: the connections of earlier credentials belong to the process.
answerParent((message) => {
  const { credential, isCached } = message as TokenJob
  if (isCached) return readCachedTokens(warm[credential])
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  return acquireToken(credential === 'ours' ? createOurs : createBare)
})
