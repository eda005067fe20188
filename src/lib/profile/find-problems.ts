import { cloudEnvironments } from './cloud-environment.ts'
import { fieldPaths, valueAt } from './field-path.ts'
import { fieldRules } from './field-rules.ts'
import { showValue } from './show-value.ts'
import { validateProfile, type SchemaError } from './validate-profile.js'

/** One thing that is wrong with a profile. */
export interface ProfileProblem {
  /** Dotted path of the field; empty for the document as a whole. */
  readonly path: string
  readonly message: string
}

/**
 * Both phases of validation, in the order of the fields. A field that fails both is reported once, in the words of the
 * runtime phase, which says more.
 */
export function findProblems(input: unknown): ProfileProblem[] {
  const found = new Map<string, string>()
  if (!validateProfile(input)) {
    for (const error of validateProfile.errors ?? []) {
      const path = pathOf(error)
      found.set(path, describeError(error, path, path === '' ? input : valueAt(input, path)))
    }
  }
  for (const [path, rules] of Object.entries(fieldRules)) {
    const value = valueAt(input, path)
    if (typeof value !== 'string') continue
    for (const rule of rules) {
      const broken = rule(value)
      if (broken === undefined) continue
      found.set(path, `${broken}, but is ${showValue(value)}`)
      break
    }
  }
  return [...found].map(([path, message]) => ({ path, message })).sort((a, b) => orderOf(a.path) - orderOf(b.path))
}

function orderOf(path: string): number {
  const index = fieldPaths.findIndex((known) => known === path || known.startsWith(`${path}.`))
  return index < 0 ? fieldPaths.length : index
}

function pathOf({ instancePath, keyword, params }: SchemaError): string {
  const keys = instancePath.split('/').slice(1)
  return [...keys, ...(keyword === 'required' ? [String(params['missingProperty'])] : [])].join('.')
}

function describeError({ keyword }: SchemaError, path: string, value: unknown): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'enum':
      return `must be one of ${cloudEnvironments.join(', ')}, but is ${showValue(value)}`
    case 'type': {
      const leaf = fieldPaths.some((known) => known === path)
      return `must be ${leaf ? 'a string' : 'an object'}, but is ${value === undefined ? 'missing' : showValue(value)}`
    }
    default:
      return `has an invalid value, ${showValue(value)}`
  }
}
