/** What identifies a resource: one of address, digest and content is required. */
const resource = {
  type: 'object',
  anyOf: [{ required: ['uri'] }, { required: ['digest'] }, { required: ['content'] }],
  properties: {
    name: { type: 'string' },
    uri: { type: 'string', pattern: '^[a-z][a-z0-9+.-]*:' },
    digest: { type: 'object', minProperties: 1, additionalProperties: { type: 'string', pattern: '^[0-9a-f]{40,}$' } },
    content: { type: 'string' },
    downloadLocation: { type: 'string' },
    mediaType: { type: 'string' },
    annotations: { type: 'object' },
  },
  additionalProperties: false,
} as const

const typeUri = { type: 'string', pattern: '^[a-z][a-z0-9+.-]*:\\S+$' } as const
const list = { type: 'array', items: resource } as const

/**
 * The in-toto statement v1 with the predicate of SLSA provenance v1, as JSON Schema: neither project publishes one.
 * Unknown fields are refused, though readers must ignore them. Sources: github.com/in-toto/attestation
 * (spec/v1/statement.md, resource_descriptor.md) and slsa.dev/spec/v1.0/provenance.
 */
export const provenanceSchema = {
  type: 'object',
  required: ['_type', 'subject', 'predicateType', 'predicate'],
  additionalProperties: false,
  properties: {
    _type: { const: 'https://in-toto.io/Statement/v1' },
    predicateType: { const: 'https://slsa.dev/provenance/v1' },
    subject: { type: 'array', minItems: 1, items: { ...resource, required: ['name', 'digest'] } },
    predicate: {
      type: 'object',
      required: ['buildDefinition', 'runDetails'],
      additionalProperties: false,
      properties: {
        buildDefinition: {
          type: 'object',
          required: ['buildType', 'externalParameters'],
          additionalProperties: false,
          properties: {
            buildType: typeUri,
            externalParameters: { type: 'object' },
            internalParameters: { type: 'object' },
            resolvedDependencies: list,
          },
        },
        runDetails: {
          type: 'object',
          required: ['builder'],
          additionalProperties: false,
          properties: {
            builder: {
              type: 'object',
              required: ['id'],
              additionalProperties: false,
              properties: {
                id: typeUri,
                version: { type: 'object', additionalProperties: { type: 'string' } },
                builderDependencies: list,
              },
            },
            metadata: {
              type: 'object',
              additionalProperties: false,
              properties: {
                invocationId: { type: 'string' },
                startedOn: { type: 'string' },
                finishedOn: { type: 'string' },
              },
            },
            byproducts: list,
          },
        },
      },
    },
  },
} as const
