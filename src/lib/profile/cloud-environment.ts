/** The kinds of cloud a profile can stand for. They classify; they are not states. */
export const cloudEnvironments = [
  'public',
  'usgovernment',
  'usgovernmentsecret',
  'usgovernmenttopsecret',
  'platformstackcloud',
  'custom',
] as const

export type CloudEnvironment = (typeof cloudEnvironments)[number]
