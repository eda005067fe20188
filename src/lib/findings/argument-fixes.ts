/** Fixes of errors that small functions of the library throw, such as `scopeFor`. Such a function must not pull in the whole catalog. */
export const argumentFixes = {
  ARGUMENT_INVALID: 'Change the argument that the message names as the message says.',
  SERVICE_NOT_PUBLISHED: 'Add the service to `services` of a profile file, or do without it in this cloud.',
} as const
