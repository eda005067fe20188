import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { acquireToken } from './acquire-token.ts'
import { answerParent } from './answer-parent.ts'
import { createCredential as createBare } from './bare-credential.ts'
import { createCredential as createOurs } from './our-credential.ts'

/** Whose credential gets a token. */
export type TokenJob = { readonly credential: 'ours' | 'bare' }

const sockets = new Set<Socket>()
subscribe('net.client.socket', (message) => sockets.add((message as { socket: Socket }).socket))

// Makes a fresh credential for each message and gets its first token over a new connection: those of the credentials before belong to the process.
answerParent((message) => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  return acquireToken((message as TokenJob).credential === 'ours' ? createOurs : createBare)
})
