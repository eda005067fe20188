/** Defined by the bundler in the command of a package, and nowhere else. */
declare const PACKAGED: true | undefined
