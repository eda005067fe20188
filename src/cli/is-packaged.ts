/** Whether this is the packaged command, which builds nothing. */
export const isPackaged = typeof PACKAGED !== 'undefined'
