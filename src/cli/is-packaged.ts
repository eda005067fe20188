declare const PACKAGED: boolean | undefined

/** Whether this is the command of a package, which builds nothing: the bundler defines the name. */
export const isPackaged = typeof PACKAGED !== 'undefined'
