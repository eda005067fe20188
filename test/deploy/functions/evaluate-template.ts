import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

interface Parameter {
  readonly type: string
  readonly defaultValue?: Json
  readonly allowedValues?: readonly Json[]
  readonly maxLength?: number
}

export interface Template {
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly variables: Readonly<Record<string, Json>>
  readonly resources: readonly Resource[]
  readonly outputs: Readonly<Record<string, { readonly value: Json }>>
}

export interface Resource {
  readonly type: string
  readonly apiVersion: string
  readonly name: string
  readonly [field: string]: Json
}

interface Scope {
  readonly template: Template
  readonly parameters: Readonly<Record<string, Json>>
  readonly index: number
}

/**
 * What a deployment would create: every expression worked out, conditions and copies applied. It knows the functions that
 * our template uses, and throws for any other. What only the cloud can answer (`reference`) is made up.
 */
export function evaluateTemplate(template: Template, parameters: Readonly<Record<string, Json>>) {
  for (const name of Object.keys(parameters)) {
    if (template.parameters[name] === undefined) throw new Error(`There is no parameter ${name}`)
  }
  const scope = { template, parameters, index: 0 }
  const resources = template.resources.flatMap((resource) => {
    const { condition = true, copy, ...rest } = resource
    const count = copy === undefined ? 1 : Number(evaluate((copy as { count: Json }).count, scope))
    return Array.from({ length: count }, (_, index) => ({ ...scope, index }))
      .filter((each) => isTrue(evaluate(condition, each)))
      .map((each) => evaluate(rest, each) as unknown as Resource)
  })
  return { resources, outputs: evaluate(template.outputs, scope) }
}

function evaluate(value: Json, scope: Scope): Json {
  if (typeof value === 'string') return evaluateText(value, scope)
  if (Array.isArray(value)) return value.map((each: Json) => evaluate(each, scope))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, evaluate(each, scope)]))
}

/** A text is an expression within brackets; two at the start escape one. */
function evaluateText(text: string, scope: Scope): Json {
  if (text.startsWith('[[')) return text.slice(1)
  return text.startsWith('[') && text.endsWith(']') ? new Expression(text.slice(1, -1), scope).read() : text
}

class Expression {
  #rest: string
  readonly #scope: Scope

  constructor(text: string, scope: Scope) {
    this.#rest = text
    this.#scope = scope
  }

  /** The value of the whole text. */
  read(): Json {
    const value = this.#value()
    if (this.#rest.trim() !== '') throw new Error(`Unexpected ${this.#rest}`)
    return value
  }

  #take(pattern: RegExp): string | undefined {
    const match = pattern.exec(this.#rest.trimStart())
    if (match === null) return undefined
    this.#rest = this.#rest.trimStart().slice(match[0].length)
    return match[1] ?? match[0]
  }

  #value(): Json {
    const text = this.#take(/^'((?:[^']|'')*)'/)
    if (text !== undefined) return text.replaceAll("''", "'")
    const number = this.#take(/^-?\d+/)
    if (number !== undefined) return Number(number)
    const name = this.#take(/^(\w+)\(/)
    if (name === undefined) throw new Error(`No expression: ${this.#rest}`)
    const args: Json[] = []
    while (this.#take(/^\)/) === undefined) {
      args.push(this.#value())
      this.#take(/^,/)
    }
    let value = this.#call(name, args)
    for (;;) {
      const field = this.#take(/^\.(\w+)/)
      const isIndex = field === undefined && this.#take(/^\[/) !== undefined
      if (field === undefined && !isIndex) return value
      const key = field ?? textOf(this.#value())
      if (isIndex) this.#take(/^\]/)
      const next = (value as Record<string, Json>)[key]
      if (next === undefined) throw new Error(`${name}() has no ${key}`)
      value = next
    }
  }

  #call(name: string, args: readonly Json[]): Json {
    const known = functions[name]
    if (known === undefined) throw new Error(`Unknown function ${name}`)
    return known(args, this.#scope)
  }
}

/** @throws {Error} for anything but a boolean: the cloud refuses it too. */
function isTrue(value: Json | undefined): boolean {
  if (typeof value === 'boolean') return value
  throw new Error(`${JSON.stringify(value)} is no boolean`)
}

/** A text or a number, as text; anything else is a mistake of the template. */
function textOf(value: Json | undefined): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new Error(`${JSON.stringify(value)} is no text`)
}

const hash = (args: readonly Json[]) => createHash('sha256').update(JSON.stringify(args)).digest('hex')
const subscription = '/subscriptions/00000000-0000-0000-0000-000000000001'

function resourceId([type, ...names]: readonly Json[]): string {
  const [provider = '', ...types] = textOf(type).split('/')
  if (types.length !== names.length) throw new Error(`${textOf(type)} needs ${types.length} names`)
  const path = types.map((each, index) => `${each}/${textOf(names[index])}`).join('/')
  return `${subscription}/resourceGroups/group/providers/${provider}/${path}`
}

const functions: Readonly<Record<string, (args: readonly Json[], scope: Scope) => Json>> = {
  and: (args) => args.every(isTrue),
  concat: (args) => args.map(textOf).join(''),
  contains: ([object, name]) => Object.hasOwn(object as object, textOf(name)),
  copyIndex: (_, { index }) => index,
  createObject: (args) =>
    Object.fromEntries(
      args.flatMap((name, index) => (index % 2 === 0 ? [[textOf(name), args[index + 1] ?? null]] : [])),
    ),
  empty: ([value]) =>
    value === '' || value === null || (typeof value === 'object' && Object.keys(value ?? {}).length === 0),
  equals: ([a, b]) => isDeepStrictEqual(a, b),
  guid: (args) => hash(args).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
  if: ([condition, yes = null, no = null]) => (isTrue(condition) ? yes : no),
  length: ([value]) => (value as readonly Json[]).length,
  not: ([value]) => !isTrue(value),
  null: () => null,
  or: (args) => args.some(isTrue),
  parameters([name], { template, parameters }) {
    const declared = template.parameters[textOf(name)]
    const value =
      parameters[textOf(name)] ?? evaluate(declared?.defaultValue ?? null, { template, parameters, index: 0 })
    if (declared === undefined || value === null) throw new Error(`Parameter ${textOf(name)} is missing`)
    if (declared.allowedValues?.includes(value) === false)
      throw new Error(`${textOf(name)} must not be ${JSON.stringify(value)}`)
    if (declared.maxLength !== undefined && textOf(value).length > declared.maxLength)
      throw new Error(`${textOf(name)} is longer than ${declared.maxLength} characters`)
    return value
  },
  reference: ([id]) => {
    const [account] = textOf(id).split('/').slice(-1)
    const endpoint = (service: string) => `https://${account}.${service}.core.enclave.example/`
    return {
      clientId: '00000000-0000-0000-0000-00000000000c',
      principalId: '00000000-0000-0000-0000-00000000000b',
      identity: { principalId: '00000000-0000-0000-0000-00000000000a' },
      defaultHostName: `${account}.example`,
      ConnectionString: 'InstrumentationKey=00000000-0000-0000-0000-000000000009;IngestionEndpoint=https://example/',
      primaryEndpoints: { blob: endpoint('blob'), queue: endpoint('queue'), table: endpoint('table') },
    }
  },
  resourceGroup: () => ({ id: `${subscription}/resourceGroups/group`, location: 'somewhere' }),
  resourceId,
  subscriptionResourceId: ([type, name]) => `${subscription}/providers/${textOf(type)}/${textOf(name)}`,
  true: () => true,
  union: (args) => Object.assign({}, ...args) as Json,
  uniqueString: (args) => hash(args).slice(0, 13),
  variables([name], scope) {
    const value = scope.template.variables[textOf(name)]
    if (value === undefined) throw new Error(`There is no variable ${textOf(name)}`)
    return evaluate(value, scope)
  },
}
