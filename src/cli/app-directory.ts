import { fileURLToPath } from 'node:url'

/** Where package.json and host.json are: two folders above the sources here, and above the bundle in a package too. */
export const appDirectory = fileURLToPath(new URL('../..', import.meta.url))

/** Defined by the bundler in the command of a package, and nowhere else. */
declare const PACKAGED: true | undefined

/** Whether this is the packaged command, which builds nothing. */
export const isPackaged = typeof PACKAGED !== 'undefined'
