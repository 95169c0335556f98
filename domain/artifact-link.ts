import { signedToken, type Mac } from './signed-token.ts';
import type { Instant } from './time.ts';

/** The purpose that links to artifacts are signed for. */
export const ARTIFACT_LINK = 'artifact';

/** The path of an artifact that opens without a key until a moment. The caller must have checked who may see it. */
export const artifactPath = async (
  { id, organizationId, until }: { id: string; organizationId: string; until: Instant },
  mac: Mac,
): Promise<string> => {
  const token = await signedToken({ purpose: ARTIFACT_LINK, organizationId, subject: id, expiresAt: until }, mac);
  return `/v1/artifacts/${id}?token=${token}`;
};
