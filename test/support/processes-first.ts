import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Imports of tests that start processes or browsers, and so wait most of their time. */
const startsProcesses =
  /from '(node:child_process|[./]*support\/(serve-enclave|use-service|processes|start-command|browser)\.ts)'/

/** Begins files that wait while many others can run beside them: at the end of a run their waiting would be all that is left. */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const rankOf = ({ project, moduleId }: TestSpecification) =>
      projects.indexOf(project.name) * 2 + (startsProcesses.test(readFileSync(moduleId, 'utf8')) ? 0 : 1)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
