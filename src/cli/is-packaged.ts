/** Whether this is the command of a package, which builds nothing. */
export const isPackaged = typeof PACKAGED !== 'undefined'
