import * as z from 'zod/mini'
import { addressNames, serviceRows, serviceSuffixRows, suffixNames } from './metadata-names.ts'

/**
 * The document that `/metadata/endpoints` publishes: its type, and the schema that `docs/reference/openapi.json` is made of. Import the type only.
 * The documents of other clouds are looser: {@link MetadataDocument}.
 */

const text = z.string()
const optionals = <K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, z.exactOptional(text)])) as Record<
    K,
    z.ZodMiniExactOptional<typeof text>
  >
const named = (age: 'older' | 'newer') => optionals(Object.values(addressNames).map((names) => names[age]))

const login = { loginEndpoint: text, audiences: z.array(text).check(z.minLength(1)) }
const identityProvider = { tenant: text, identityProvider: z.enum(['AAD', 'ADFS']) }

const CloudOf2015 = z.strictObject({ ...named('older'), authentication: z.strictObject(login) })

const CloudOf2018 = z.strictObject({
  ...named('older'),
  graphAudience: text,
  authentication: z.strictObject({ ...login, ...identityProvider }),
  cloudEndpoint: z.strictObject({}),
})

const CloudOf2019 = z.strictObject({
  name: text,
  ...named('newer'),
  ...optionals(serviceRows.map(({ name }) => name)),
  resourceManager: text,
  graphAudience: text,
  authentication: z.strictObject({ ...login, ...identityProvider }),
  suffixes: z.strictObject({
    ...optionals(Object.values(suffixNames)),
    ...optionals(serviceSuffixRows.map(({ name }) => name)),
  }),
})

export const PublishedMetadata = z
  .union([CloudOf2015, CloudOf2018, CloudOf2019, z.array(CloudOf2019).check(z.length(1))])
  .check(
    z.describe(
      'The profile as the metadata document of a resource manager. The shape is that of the version 2015-01-01, 2018-01-01, 2022-09-01, or 2019-05-01 and 2020-06-01 (a list).',
    ),
  )
