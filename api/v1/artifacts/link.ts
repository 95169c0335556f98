import { artifactPath } from '../../../domain/artifact-link.ts';
import type { Mac } from '../../../domain/signed-token.ts';
import { instantOf, millisecondsOf, type Instant } from '../../../domain/time.ts';
import type { Artifact } from '../../../stores/artifacts/port.ts';

export { ARTIFACT_LINK } from '../../../domain/artifact-link.ts';

/** Minimum lifetime of a link, in milliseconds. The maximum is twice as long. */
const LINK_OPENS_FOR = 15 * 60_000;

/**
 * Returns when a link created at `now` expires. Links created in the same quarter of an hour get the same expiry, so
 * that repeated responses are identical and conditional requests get 304.
 */
export const linkExpiry = (now: Instant): Instant =>
  instantOf((Math.floor(millisecondsOf(now) / LINK_OPENS_FOR) + 2) * LINK_OPENS_FOR);

/**
 * Returns a path that opens an artifact without a key until {@link linkExpiry}. Call this only for callers with the
 * permission to read the artifact.
 */
export const artifactLink = (
  { id, organization_id: organizationId }: Pick<Artifact, 'id' | 'organization_id'>,
  now: Instant,
  mac: Mac,
): Promise<string> => artifactPath({ id, organizationId, until: linkExpiry(now) }, mac);
