import { readVariable, type Env } from '../../base/env.ts'
import { describeAdded, trustedCount, type AddedAuthorities } from '../../transport/certificate-authorities.ts'

/** The trust store of this process, as the end of a message about an untrusted certificate. Names no path. */
export function describeTrust(env: Env, added: readonly AddedAuthorities[]): string {
  const off = readVariable(env, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0'
  const unset = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA'].filter((name) =>
    added.every(({ variable }) => variable !== name),
  )
  return [
    `Node trusts ${trustedCount()} certificate authorities here`,
    ...added.map(describeAdded),
    ...unset.map((name) => `${name} is not set`),
    ...(off ? ['NODE_TLS_REJECT_UNAUTHORIZED=0 hides this from every request: remove it'] : []),
  ].join('; ')
}
