import { signedPath, type Mac } from './signed-token.ts';
import type { Instant } from './time.ts';

/** The purpose that is signed in artifact links. */
export const ARTIFACT_LINK = 'artifact';

/**
 * Returns a signed path of an artifact, which works without an API key until it expires. The caller must have checked
 * that the client may see the artifact.
 */
export const artifactPath = (
  { id, organizationId, until }: { id: string; organizationId: string; until: Instant },
  mac: Mac,
): Promise<string> =>
  signedPath(`/v1/artifacts/${id}`, { purpose: ARTIFACT_LINK, organizationId, subject: id, expiresAt: until }, mac);
