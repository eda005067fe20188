import { parseCloudProfile } from '../../src/lib/profile/parse-cloud-profile.ts'
import { errorOf } from './error-of.ts'

/** What is wrong with a document, a line each, without the line that names it. */
export function problemsOf(document: unknown): string[] {
  const [, ...problems] = errorOf(() => parseCloudProfile(document)).message.split('\n')
  return problems.map((line) => line.trim())
}
