import * as z from 'zod/v4/core'
import { profileTable } from './profile-table.ts'
import { brokenRule, type Field, type Rule } from './field.ts'

// A bundle loads this file at its first call (build.ts): the built-in clouds need no validation at a start.

/** What is wrong with a document by the table of a profile. */
export function issuesOf(document: unknown): readonly z.$ZodIssue[] {
  schema ??= schemaOf(profileTable)
  return z.safeParse(schema, document).error?.issues ?? []
}

let schema: z.$ZodType | undefined

// The core classes of zod: `zod/mini` wraps each in another class, at the cost of every start.
function schemaOf(field: Field): z.$ZodType {
  const innerType = requiredSchemaOf(field)
  return field.isOptional === true ? new z.$ZodOptional({ type: 'optional', innerType }) : innerType
}

function requiredSchemaOf(field: Field): z.$ZodType {
  switch (field.kind) {
    case 'text':
      return textSchema(field.rules)
    case 'choice':
      return new z.$ZodEnum({ type: 'enum', entries: Object.fromEntries(field.words.map((word) => [word, word])) })
    case 'number': {
      const isInRange = (value: number) => Number.isInteger(value) && value >= 1 && value <= field.most
      const problemOf = (value: number) =>
        isInRange(value) ? undefined : `must be a whole number from 1 to ${field.most}`
      return new z.$ZodNumber({ type: 'number', checks: [check(problemOf)] })
    }
    case 'flag':
      return new z.$ZodBoolean({ type: 'boolean' })
    case 'list':
      return new z.$ZodArray({ type: 'array', element: textSchema(field.rules) })
    case 'group': {
      const shape = Object.entries(field.fields).map(([key, each]) => [key, schemaOf(each)] as const)
      return new z.$ZodObject({ type: 'object', shape: Object.fromEntries(shape) })
    }
    case 'record':
      return new z.$ZodRecord({ type: 'record', keyType: textSchema(field.names), valueType: schemaOf(field.values) })
  }
}

function textSchema(rules: readonly Rule[]): z.$ZodString {
  return new z.$ZodString({ type: 'string', checks: [check<string>((value) => brokenRule(rules, value)?.message)] })
}

/** A check whose problem is a message. */
function check<T>(problemOf: (value: T) => string | undefined): z.$ZodCheck<T> {
  const made = new z.$ZodCheck({ check: 'custom' }) as z.$ZodCheck<T>
  made._zod.check = ({ value, issues }) => {
    const message = problemOf(value)
    if (message !== undefined) issues.push({ code: 'custom', input: value, message })
  }
  return made
}
