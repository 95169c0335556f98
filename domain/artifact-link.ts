import { signedPath, type Mac } from './signed-token.ts';
import type { Instant } from './time.ts';

/** The purpose that links to artifacts are signed for. */
export const ARTIFACT_LINK = 'artifact';

/** The path of an artifact that opens without a key until a moment. The caller must have checked who may see it. */
export const artifactPath = (
  { id, organizationId, until }: { id: string; organizationId: string; until: Instant },
  mac: Mac,
): Promise<string> =>
  signedPath(`/v1/artifacts/${id}`, { purpose: ARTIFACT_LINK, organizationId, subject: id, expiresAt: until }, mac);
