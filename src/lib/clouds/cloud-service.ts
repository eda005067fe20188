/** The clouds whose values are published, as Terraform and the profiles call them. */
export const cloudNames = ['public', 'usgovernment', 'china'] as const

export type CloudName = (typeof cloudNames)[number]

/** The values that one cloud publishes for a service. */
export interface ServiceValues {
  /** Hosts, and DNS suffixes without their leading dot: a host equal to one, or below one, belongs to the cloud. */
  readonly hosts?: readonly string[]
  /** Token audiences whose host is no host of the service, without a final slash. */
  readonly audiences?: readonly string[]
}

/** One service with its values in each cloud. A cloud without values publishes no counterpart. */
export interface CloudService extends Readonly<Record<CloudName, ServiceValues | NotPublished>> {
  /** Stable id, such as `key-vault`. */
  readonly id: string
  readonly name: string
  /** Whether the service is retired in every cloud. Its hosts no longer exist. */
  readonly isRetired?: true
  /** Where the values are published: keys of `value-sources.ts`. */
  readonly sources: readonly string[]
}

/** No document of the sources names a counterpart. */
export type NotPublished = 'not published'
