import { acquireToken } from './acquire-token.ts'
import { answerParent } from './answer-parent.ts'
import { createCredential as createBare } from './bare-credential.ts'
import { createCredential as createOurs } from './our-credential.ts'

/** Whose credential gets a token. */
export type TokenJob = { readonly credential: 'ours' | 'bare' }

// Makes a fresh credential for each message and gets its first token.
answerParent((message) => acquireToken((message as TokenJob).credential === 'ours' ? createOurs : createBare))
