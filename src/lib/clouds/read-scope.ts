import { withoutFinalSlashes } from '../base/address.ts'

const openIdScopes = /\/(?:openid|profile|email|offline_access)$/
const delegated = /\/([A-Z]\w*(?:\.\w+)+|user_impersonation|access_as_user)$/

/** Without `/.default` at the end, also if it is there more than once. A loop, because the time of a pattern would grow faster than its text. */
function withoutDefault(text: string): string {
  const ended = text.endsWith('/') ? text.slice(0, -1) : text
  return ended.endsWith('.default') ? withoutDefault(ended.slice(0, -'.default'.length).replace(/\/{1,2}$/, '')) : text
}

/** The audience of a scope, and what is wrong with its form. @param isScope Whether it must end with `/.default`. */
export function readScope(text: string, isScope: boolean): { readonly audience: string; readonly problem?: string } {
  const scope = text.split(/\s/).find((each) => /:\/\/|\/\.default/.test(each)) ?? text
  const bare = scope.replace(/^spn:/, '')
  const audience = withoutDefault(bare)
  const clean = URL.parse(audience)?.pathname === '/' ? `${withoutFinalSlashes(audience)}/` : audience
  if (bare.indexOf('.default') !== bare.lastIndexOf('.default'))
    return { audience: clean, problem: 'contains .default twice' }
  if (/[^/]\.default/.test(bare)) return { audience: clean, problem: 'has no / before .default' }
  if (audience !== bare) return { audience: clean }
  const appended = (openIdScopes.exec(bare) ?? delegated.exec(bare))?.[0]
  const resource = appended === undefined ? bare : bare.slice(0, 1 - appended.length)
  if (openIdScopes.test(bare)) return { audience: resource, problem: 'appends a scope of OpenID to a resource' }
  if (appended !== undefined) return { audience: resource, problem: `is a delegated permission of ${resource}` }
  return isScope ? { audience: clean, problem: 'has no /.default after the resource' } : { audience: bare }
}
