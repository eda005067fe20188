import type { HttpFunction } from '../lib/base/app.ts'
import { StartError } from './start-error.ts'

/** Finds the function for a method (in upper case) and a decoded path. Case and a final slash do not matter. */
export type Router = (method: string, path: string) => HttpFunction | undefined

/** @throws {StartError} `ROUTE_INVALID` for two functions with one route. */
export function createRouter(functions: readonly HttpFunction[]): Router {
  const byPath = new Map<string, HttpFunction[]>()
  for (const each of functions) {
    const path = normalize(`/${each.path}`)
    const others = byPath.get(path) ?? []
    const other = others.find((candidate) => shareMethod(candidate, each))
    if (other !== undefined) {
      const message = `The route "${each.path}" of function "${each.name}" is also the route of function "${other.name}".`
      throw new StartError('ROUTE_INVALID', message)
    }
    byPath.set(path, [...others, each])
  }
  return (method, path) => byPath.get(normalize(path))?.find(({ methods }) => methods?.includes(method) ?? true)
}

/** Clients that join an address with its final slash and a path request `//path`. The Functions host answers 404 to those. */
function normalize(path: string): string {
  let start = 0
  while (path[start + 1] === '/') start++
  const single = start + 1 === path.length ? path : path.slice(start)
  return (single.endsWith('/') ? single.slice(0, -1) : single).toLowerCase()
}

function shareMethod(one: HttpFunction, { methods }: HttpFunction): boolean {
  return one.methods === undefined || methods === undefined || one.methods.some((method) => methods.includes(method))
}
