import type { RouteAnswer, RouteRequest } from './route.ts'

/** The status 304 without a body when the caller has the answer by its tag. Weak and strong tags name the same document here. */
export function ifNoneMatch({ headers }: RouteRequest, answer: RouteAnswer): RouteAnswer {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.some((tag) => tag === '*' || tag === answer.headers['etag'])) return answer
  const { 'content-type': _none, ...kept } = answer.headers
  return { status: 304, headers: kept }
}
