import * as z from 'zod/mini'

/** The body of an error response (RFC 9457): its type, and the schema that `docs/openapi.json` is made of. Import the type only. */
export const ProblemDetails = z
  .strictObject({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int().check(z.describe('The HTTP status.')),
    code: z.string().check(z.describe('Stable, such as `CROSS_SITE_REQUEST`, or a code of docs/findings.md.')),
    detail: z.exactOptional(z.string().check(z.describe('What to do.'))),
    instance: z.exactOptional(z.string().check(z.describe('Id of the call, which the log has too.'))),
    fields: z.exactOptional(z.array(z.string()).check(z.describe('The fields of the profile that it concerns.'))),
  })
  .check(z.describe('Problem details (RFC 9457).'))

export type ProblemDetails = z.infer<typeof ProblemDetails>
