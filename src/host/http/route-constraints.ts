/** Whether a path segment, already decoded, is accepted. */
export type Constraint = (value: string) => boolean

type ConstraintFactory = (args: readonly number[]) => Constraint

const guid =
  /^(?:[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[{(][\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}[})])$/i
const minInt32 = -(2n ** 31n)
const minInt64 = -(2n ** 63n)

function isInteger(value: string, min: bigint): boolean {
  if (!/^[+-]?\d{1,20}$/.test(value)) return false
  const number = BigInt(value.replace(/^\+/, ''))
  return number >= min && number < -min
}

function isBetween(value: string, min: number, max: number): boolean {
  return isInteger(value, minInt64) && Number(value) >= min && Number(value) <= max
}

/** The constraints of ASP.NET routing that this host knows, each with the numbers of arguments it takes. */
const factories: Readonly<Record<string, { arity: readonly number[]; create: ConstraintFactory }>> = {
  alpha: { arity: [0], create: () => (value) => /^[a-z]*$/i.test(value) },
  bool: { arity: [0], create: () => (value) => /^(true|false)$/i.test(value) },
  guid: { arity: [0], create: () => (value) => guid.test(value) },
  int: { arity: [0], create: () => (value) => isInteger(value, minInt32) },
  length: {
    arity: [1, 2],
    create:
      ([min = 0, max = min]) =>
      (value) =>
        value.length >= min && value.length <= max,
  },
  long: { arity: [0], create: () => (value) => isInteger(value, minInt64) },
  max: {
    arity: [1],
    create:
      ([max = 0]) =>
      (value) =>
        isBetween(value, -Infinity, max),
  },
  maxlength: {
    arity: [1],
    create:
      ([max = 0]) =>
      (value) =>
        value.length <= max,
  },
  min: {
    arity: [1],
    create:
      ([min = 0]) =>
      (value) =>
        isBetween(value, min, Infinity),
  },
  minlength: {
    arity: [1],
    create:
      ([min = 0]) =>
      (value) =>
        value.length >= min,
  },
  range: {
    arity: [2],
    create:
      ([min = 0, max = 0]) =>
      (value) =>
        isBetween(value, min, max),
  },
}

/** Compiles one constraint of a route, as in `maxlength(8)`; `undefined` when it is not known or malformed. */
export function compileConstraint(text: string): Constraint | undefined {
  const match = /^([a-z]+)(?:\(([-\d, ]*)\))?$/i.exec(text)
  const factory = Object.hasOwn(factories, match?.[1]?.toLowerCase() ?? '')
    ? factories[match?.[1]?.toLowerCase() ?? '']
    : undefined
  if (match === null || factory === undefined) return undefined
  const args = (match[2] ?? '').split(',').filter((part) => part.trim() !== '')
  const numbers = args.map(Number)
  return factory.arity.includes(numbers.length) && numbers.every(Number.isInteger) ? factory.create(numbers) : undefined
}
