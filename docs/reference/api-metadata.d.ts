import { CloudMetadata, CloudProfile, DiscoverOptions, metadataUrl } from "./types.js";
/**
 * Requests the metadata of a cloud from its resource manager: one GET without authentication, without redirects, of at most 1 MiB. A cloud that
 * refuses the first version is asked for newer ones. A failure is an error, never a default.
 *
 * @param from The address of a resource manager or of its metadata, or a profile. With a profile, its metadataEndpoint is requested, and must
 *   describe its resourceManagerEndpoint.
 * @param options The environment may name a proxy. Default is the environment of the process.
 * @throws {ServiceError} `METADATA_NOT_CONFIGURED`, `PLACEHOLDER_PROFILE`, `METADATA_INVALID`,
 *   `METADATA_CLOUD_NOT_LISTED`, or a network failure such as `METADATA_UNTRUSTED`.
 */
declare function discoverCloud(from: CloudProfile | string, options?: DiscoverOptions): Promise<CloudMetadata>;
/**
 * The scope of resource manager tokens, from the audience that a cloud publishes. A stack generates its audience, so only its metadata has it.
 *
 * @throws {ServiceError} `METADATA_INVALID` for an audience that doesn't belong to the profile's resource manager: a token for it could be
 *   used elsewhere.
 */
declare function discoveredScope(profile: CloudProfile, metadata: CloudMetadata): string;
/**
 * Reads a metadata document of any known version. Makes no request.
 *
 * @param document Parsed JSON: one cloud, or a list of clouds.
 * @param endpoint The resource manager or metadata endpoint that was requested. It selects the entry of a list; a document that describes
 *   only other clouds is refused.
 * @throws {ServiceError} `METADATA_INVALID` that names the field, `METADATA_CLOUD_NOT_LISTED`, or `ARGUMENT_INVALID` for the endpoint.
 */
declare function parseCloudMetadata(document: unknown, endpoint: string): CloudMetadata;
export { type CloudMetadata, type DiscoverOptions, discoverCloud, discoveredScope, metadataUrl, parseCloudMetadata };