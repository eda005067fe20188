import * as z from 'zod/mini'

/** Absent, `null` and `""` all mean that the cloud does not say. */
const text = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => (value?.trim() ? value.trim() : undefined)),
)

const Authentication = z.object({
  loginEndpoint: text,
  audiences: z.pipe(
    z.nullish(z.array(text)),
    z.transform((values) => (values ?? []).filter((value) => value !== undefined)),
  ),
  tenant: text,
})

const Suffixes = z.object({
  storage: text,
  keyVaultDns: text,
  sqlServerHostname: text,
  acrLoginServer: text,
})

/** Which cloud an entry of a metadata list stands for: the part that must be readable in every entry. */
export const ListedCloud = z.object({ name: text, resourceManager: text })

/**
 * One cloud of a metadata document. The 2015 to 2018 versions call the addresses `portalEndpoint` and so on and have
 * neither `resourceManager` nor `suffixes`; the 2019 and later ones call them `portal`, `graph` and `gallery`.
 */
export const MetadataDocument = z.object({
  resourceManager: text,
  portal: text,
  portalEndpoint: text,
  graph: text,
  graphEndpoint: text,
  gallery: text,
  galleryEndpoint: text,
  authentication: Authentication,
  suffixes: z.nullish(Suffixes),
})

export type MetadataDocument = z.infer<typeof MetadataDocument>
