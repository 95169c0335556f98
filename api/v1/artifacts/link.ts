import { signedToken, type Mac } from '../../../domain/signed-token.ts';
import { instantOf, millisecondsOf, type Instant } from '../../../domain/time.ts';
import { TOKEN } from '../../../http/routes/visitor.ts';
import type { Artifact } from '../../../stores/artifacts/port.ts';

/** The purpose that links to artifacts are signed for. */
export const ARTIFACT_LINK = 'artifact';

/** How long a link works, milliseconds. */
export const LINK_OPENS_FOR = 15 * 60_000;

/**
 * The path of an artifact that opens without a key for {@link LINK_OPENS_FOR}. The caller must have checked that the
 * reader may see it.
 */
export const artifactLink = async (
  { id, organization_id: organizationId }: Pick<Artifact, 'id' | 'organization_id'>,
  now: Instant,
  mac: Mac,
): Promise<string> => {
  const expiresAt = instantOf(millisecondsOf(now) + LINK_OPENS_FOR);
  const token = await signedToken({ purpose: ARTIFACT_LINK, organizationId, subject: id, expiresAt }, mac);
  return `/v1/artifacts/${id}?${TOKEN}=${token}`;
};
