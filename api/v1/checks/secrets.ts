import { isHarmless } from '../../../domain/check/harmless-headers.ts';
import { MASK } from '../../../domain/check/sealing.ts';
import type { Role } from '../../../domain/event.ts';
import { WRITERS } from '../../route.ts';

/** Who may see what checks send and what comes back: those who can change them. */
export const seesSecrets = (role: Role | null): boolean => role !== null && WRITERS.includes(role);

type Metadata = Record<string, unknown>;

/**
 * What a run found out, as a caller may see it: all but editors and admins see nothing of a body, and of the
 * headers of an answer the values of the harmless ones.
 */
export const shownMetadata = (metadata: Metadata, role: Role | null): Metadata => {
  if (seesSecrets(role)) return metadata;
  const { headers, body_excerpt } = metadata;
  return {
    ...metadata,
    ...(typeof headers === 'object' && headers !== null && { headers: harmlessOnly(headers) }),
    ...(typeof body_excerpt === 'string' && { body_excerpt: MASK }),
  };
};

const harmlessOnly = (headers: object): Metadata =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]: [string, unknown]) => [name, isHarmless(name) ? value : MASK]),
  );
