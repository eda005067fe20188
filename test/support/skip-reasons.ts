import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** Prints at the end why each skipped test was skipped: what its title says in brackets, else its title. */
export class SkipReasons implements Reporter {
  #isFiltered = false

  onInit({ config }: Vitest): void {
    this.#isFiltered = config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>()
    for (const each of modules.flatMap(({ children }) => [...children.allTests('skipped')])) {
      const reason = /\[skipped: (.*?)\]/.exec(each.fullName)?.[1] ?? `${each.fullName} (its title gives no reason)`
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
    if (counts.size === 0 || this.#isFiltered) return
    const lines = Array.from(counts, ([reason, count]) => `  ${count} ${reason}\n`)
    process.stderr.write(`\nWhy tests were skipped:\n${lines.join('')}`)
  }
}
