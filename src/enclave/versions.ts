import { type Answer, type EnclaveRequest, json } from './http/route.ts'
import { storageError } from './storage/storage-http.ts'

/** Sets of interface versions: those of a hyperscale cloud, where nothing is refused, and those where an on-premises stack ends. */
export const versionSets = ['current', 'stack'] as const
export type VersionSet = (typeof versionSets)[number]

/**
 * Where a stack ends: its resource manager by the hybrid profile 2020-09-01, its vault at 7.1, its storage at 2019-07-07.
 * https://learn.microsoft.com/azure-stack/user/azure-stack-version-profiles
 */
const stack = {
  resourceManager: ['2021-04-01', '2020-10-01', '2020-06-01', '2019-10-01', '2019-06-01', '2018-05-01', '2016-06-01'],
  vault: ['2016-10-01', '7.0', '7.1'],
  storage: '2019-07-07',
}

/** The refusal of a version that the set does not have, in the words of the service. */
export const refuseVersion = {
  resourceManager({ query }: EnclaveRequest, versions: VersionSet): Answer | undefined {
    const version = query.get('api-version') ?? ''
    if (versions === 'current' || stack.resourceManager.includes(version)) return undefined
    const message = `The api-version '${version}' is invalid. The supported versions are '${stack.resourceManager.join(',')}'.`
    return json(400, { error: { code: 'InvalidApiVersionParameter', message } })
  },
  vault({ query }: EnclaveRequest, versions: VersionSet): Answer | undefined {
    const version = query.get('api-version')
    if (version === null) {
      const message = 'The api-version query parameter is missing.'
      return json(400, { error: { code: 'BadParameter', message } })
    }
    if (versions === 'current' || stack.vault.includes(version)) return undefined
    const message = `The specified version (${version}) is not recognized. Consider using the latest supported version (7.1).`
    return json(400, { error: { code: 'BadParameter', message } })
  },
  storage({ headers }: EnclaveRequest, versions: VersionSet): Answer | undefined {
    const version = headers['x-ms-version']
    if (versions === 'current' || typeof version !== 'string' || version <= stack.storage) return undefined
    const message = 'The value for one of the HTTP headers is not in the correct format.'
    return storageError(
      400,
      'InvalidHeaderValue',
      message,
      `<HeaderName>x-ms-version</HeaderName><HeaderValue>${version.replaceAll(/[^\w.-]/g, '')}</HeaderValue>`,
    )
  },
} satisfies Record<string, (request: EnclaveRequest, versions: VersionSet) => Answer | undefined>
