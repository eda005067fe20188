/** The kinds of cloud that a profile can describe. */
export const cloudEnvironments = [
  'public',
  'usgovernment',
  'usgovernmentsecret',
  'usgovernmenttopsecret',
  'platformstackcloud',
  'custom',
] as const

export type CloudEnvironment = (typeof cloudEnvironments)[number]
