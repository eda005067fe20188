import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, which would end a run alone if they began late. */
const longest = [
  'security/leak/leak-matrix',
  'cli/enclave',
  'integration/token',
  'security/egress/egress-namespace',
  'cli/serve',
  'security/egress/egress',
  'lib/auth/fault-matrix',
  'lib/auth/managed-identity',
  'cli/profile-discover',
  'integration/faults',
  'security/leak/bundle',
  'cli/func',
  'browser/states',
  'security/expressions',
  'lib/diagnostics/recovery',
  'security/leak/echo',
  'cli/npm-start',
  'cli/dev',
  'cli/tool-orphans',
  'host/http/certificate',
  'lib/export/programs.property',
  'page/page.property',
  'functions/health',
  'browser/service',
  'cli/from-sources',
  'cli/exit',
]

/** Begins with the longest files; the others follow as ever. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return index < 0 ? longest.length : index
    }
    return others.toSorted((one, other) => rank(one) - rank(other))
  }
}
