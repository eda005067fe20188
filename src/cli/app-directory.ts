import { fileURLToPath } from 'node:url'

/** Where package.json and host.json are: two folders above the sources here, and above the bundle in a package too. */
export const appDirectory = fileURLToPath(new URL('../..', import.meta.url))
