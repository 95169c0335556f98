import { artifactPath } from '../../../domain/artifact-link.ts';
import type { Mac } from '../../../domain/signed-token.ts';
import { instantOf, millisecondsOf, type Instant } from '../../../domain/time.ts';
import type { Artifact } from '../../../stores/artifacts/port.ts';

export { ARTIFACT_LINK } from '../../../domain/artifact-link.ts';

/** How long a link works, milliseconds. */
export const LINK_OPENS_FOR = 15 * 60_000;

/**
 * The path of an artifact that opens without a key for {@link LINK_OPENS_FOR}. The caller must have checked that the
 * reader may see it.
 */
export const artifactLink = (
  { id, organization_id: organizationId }: Pick<Artifact, 'id' | 'organization_id'>,
  now: Instant,
  mac: Mac,
): Promise<string> => artifactPath({ id, organizationId, until: instantOf(millisecondsOf(now) + LINK_OPENS_FOR) }, mac);
