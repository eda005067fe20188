import { fileURLToPath } from 'node:url'

/** The small programs that use each library, with the versions they are pinned to. */
export const programs = fileURLToPath(new URL('programs', import.meta.url))
