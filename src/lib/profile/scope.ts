import { ServiceError } from '../errors.ts'
import { showValue } from '../base/show-value.ts'

/**
 * The scope of a token request: the audience followed by `.default`, verbatim. Some services tell `…//.default` from
 * `…/.default`, so nothing is trimmed or added.
 *
 * @param audience As profiles have it: it ends with `/`, which separates it from `.default`.
 * @throws {ServiceError} `ARGUMENT_INVALID` for an audience without its final slash, or with `.default` in it already.
 */
export function scopeFor(audience: string): string {
  if (typeof audience === 'string' && audience.endsWith('/') && !audience.endsWith('/.default/')) {
    return `${audience}.default`
  }
  throw new ServiceError(
    'ARGUMENT_INVALID',
    `audience must end with "/", without ".default", but is ${showValue(audience)}`,
  )
}
