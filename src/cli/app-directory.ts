import { fileURLToPath } from 'node:url'

/** The folder of package.json and host.json: two folders above this file, and above the bundle in a package. */
export const appDirectory = fileURLToPath(new URL('../..', import.meta.url))

/** The bundler of the packaged command defines it. */
declare const PACKAGED: true | undefined

/** Whether this is the packaged command, which can't build. */
export const isPackaged = typeof PACKAGED !== 'undefined'
