import type { Level, RuleId } from './finding.ts'

/** The description of a rule, for its help and its page. */
export interface ScanRule {
  readonly title: string
  readonly about: string
  readonly level: Level
}

export const rules: Readonly<Record<RuleId, ScanRule>> = {
  HARDCODED_HOST: {
    title: 'Host of one cloud',
    about:
      'The text names a host or DNS suffix that one cloud publishes. In another cloud the request goes to the wrong cloud, or nowhere.',
    level: 'error',
  },
  HARDCODED_AUDIENCE: {
    title: 'Token audience of one cloud',
    about:
      'The text names an audience or scope that one cloud publishes. In another cloud the login authority refuses it, or the service refuses the token.',
    level: 'error',
  },
  HARDCODED_CLOUD_NAME: {
    title: 'Name of one cloud',
    about:
      'A setting, an argument or a default chooses a cloud by its name. A cloud without a well-known name can never be chosen there.',
    level: 'error',
  },
  PUBLIC_CLOUD_BY_DEFAULT: {
    title: 'Public cloud by default',
    about:
      'The construct says nothing of a cloud, so it reaches the public one. It is a warning where a variable of the process can still set the cloud: ' +
      'AZURE_AUTHORITY_HOST for credentials, ARM_ENVIRONMENT for providers.',
    level: 'error',
  },
}
