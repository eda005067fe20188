/** Fixes for errors of small functions such as `scopeFor`. An application that bundles only such a function must not bundle the whole catalog. */
export const argumentFixes = {
  ARGUMENT_INVALID: 'Change the argument as the message says.',
  SERVICE_NOT_PUBLISHED: 'Add the service to `services` of a profile file, or do without it in this cloud.',
} as const
