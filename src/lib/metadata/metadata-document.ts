import * as z from 'zod/mini'
import { addressNames, serviceRows, serviceSuffixRows, suffixNames } from './metadata-names.ts'

/** Length limit of values in characters, far above any real one. A document is at most 1 MiB. */
const longestUrl = 2048
const longestName = 256
const mostAudiences = 64

/** Absent, `null` and `""` all mean that the cloud publishes no value. */
const text = (longest: number) =>
  z.pipe(
    z.nullish(z.string().check(z.maxLength(longest))),
    z.transform((value) => (value?.trim() ? value.trim() : undefined)),
  )
const url = text(longestUrl)
const name = text(longestName)

const Authentication = z.object({
  loginEndpoint: url,
  audiences: z.pipe(
    z.nullish(z.array(url).check(z.maxLength(mostAudiences))),
    z.transform((values) => (values ?? []).filter((value) => value !== undefined)),
  ),
  tenant: name,
})

/** Each name with the same rule. */
const each = <const Names extends readonly string[], Rule extends z.ZodMiniType>(names: Names, rule: Rule) =>
  Object.fromEntries(names.map((key) => [key, rule])) as Record<Names[number], Rule>

/** An invalid value for another tool is no reason to refuse a cloud: it counts as absent. */
const usable = z.optional(
  z.pipe(
    z.unknown(),
    z.transform((value) =>
      typeof value === 'string' && value.length <= longestUrl && value.trim() !== '' ? value.trim() : undefined,
    ),
  ),
)

/** Which cloud an entry of a metadata list stands for: the part that must be readable in every entry. */
export const ListedCloud = z.object({ name, resourceManager: url })

/**
 * One cloud of a metadata document. The 2015 to 2018 versions call the addresses `portalEndpoint` and so on and have
 * neither `resourceManager` nor `suffixes`; the 2019 and later ones call them `portal`, `graph` and `gallery`.
 */
export const MetadataDocument = z.object({
  resourceManager: url,
  ...each(
    Object.values(addressNames).flatMap(({ older, newer }) => [older, newer] as const),
    url,
  ),
  ...each(
    serviceRows.map(({ name: key }) => key),
    usable,
  ),
  authentication: Authentication,
  suffixes: z.nullish(
    z.object({
      ...each(Object.values(suffixNames), name),
      ...each(
        serviceSuffixRows.map(({ name: key }) => key),
        usable,
      ),
    }),
  ),
})

export type MetadataDocument = z.infer<typeof MetadataDocument>
