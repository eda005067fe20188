import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { describe, expect, test } from 'vitest'
import { repository } from '../support/project-copy.ts'
import { loadPackage } from '../support/some-packages.ts'

/** Remote text meets our expressions, and one that backtracks makes of a long text a standstill of the whole process. */

type Verdict = {
  readonly status: 'safe' | 'unknown' | 'vulnerable'
  readonly complexity?: { readonly summary: string }
}
type Check = (pattern: string, flags: string, limits: object) => Promise<Verdict>
const { check } = await loadPackage<{ check: Check }>('recheck')

type Expression = Readonly<Record<'pattern' | 'flags', string>>

interface Call {
  readonly type?: string
  readonly callee?: { readonly value?: string }
  readonly arguments?: readonly { readonly expression: Argument }[]
}

/** A text, or a template with a tag, such as `String.raw`. */
interface Argument {
  readonly value?: string
  readonly template?: { readonly quasis: readonly { readonly raw: string }[] }
}

/** @returns The literals, and how often an expression is made from a text that only the running program knows. */
function expressionsOf(source: string) {
  const literals: Expression[] = []
  let made = 0
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, callee, arguments: given } = node as Call
    if (type === 'RegExpLiteral') literals.push(node as unknown as Expression)
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.value === 'RegExp') {
      const [pattern, flags] = given ?? []
      const [text, ...more] = pattern?.expression.template?.quasis ?? []
      if (text === undefined || more.length > 0) made++
      else literals.push({ pattern: text.raw, flags: flags?.expression.value ?? '' })
    }
    Object.values(node).forEach(visit)
  }
  visit(parseSync(source, { syntax: 'typescript', target: 'es2024' }))
  return { literals, made }
}

const files = globSync('src/**/*.{ts,js}', { cwd: repository }).toSorted()
const found = files.map((file) => ({ file, ...expressionsOf(readFileSync(join(repository, file), 'utf8')) }))
/** Each expression once, with the first file that has it. */
const known = new Set<string>()
const rows = found.flatMap(({ file, literals }) => {
  const fresh = literals.filter(({ pattern, flags }) => !known.has(`/${pattern}/${flags}`))
  for (const { pattern, flags } of fresh) known.add(`/${pattern}/${flags}`)
  return fresh.length === 0 ? [] : [{ file, fresh }]
})

/** The search has a fixed seed. Its limits are numbers of steps: one of time would give another verdict on a busy machine. */
const withoutTime = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null } as const
const bySteps = { ...withoutTime, attackLimit: 100_000_000 } as const

describe('every expression in src', () => {
  test('is written down, not put together at run time, so that it can be checked here', () => {
    expect(found.filter(({ made }) => made > 0).map(({ file }) => file)).toEqual([])
    expect(known.size).toBeGreaterThan(80)
  })

  test.concurrent.each(rows)('of $file takes time that grows no faster than its text', async ({ fresh }) => {
    for (const { pattern, flags } of fresh) {
      const { status, complexity } = await check(pattern, flags, bySteps)
      expect([pattern, status, complexity?.summary]).toEqual([pattern, 'safe', expect.any(String)])
    }
  })
})
