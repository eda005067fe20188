import * as z from 'zod/mini'
import type { Exact } from '../base/json.ts'

/**
 * The body of `/api/health`, in the format of the health+json draft (draft-inadarei-api-health-check). `docs/reference/openapi.json` is
 * generated from these schemas. Import only types, because zod is large.
 */

const HealthStatus = z.enum(['pass', 'warn', 'fail'])

const HealthEntry = z.strictObject({
  status: HealthStatus,
  time: z.exactOptional(z.iso.datetime().check(z.describe('ISO 8601.'))),
  output: z.exactOptional(z.string()),
})
export type HealthEntry = Exact<z.infer<typeof HealthEntry>>

const entries = z.array(HealthEntry)

export const HealthReport = z
  .strictObject({
    status: HealthStatus.check(z.describe('`fail`: the platform should replace this instance.')),
    description: z.string(),
    version: z.exactOptional(z.string().check(z.describe('The version of this build, such as `2.0.0`.'))),
    checks: z.strictObject({ profile: entries, token: entries, diagnostics: entries, smokeTest: entries }),
  })
  .check(z.describe('The health of this process, from cached results.'))
export type HealthReport = Exact<z.infer<typeof HealthReport>>
