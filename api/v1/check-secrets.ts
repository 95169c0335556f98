import { isHarmless } from '../../domain/check/harmless-headers.ts';
import { MASK } from '../../domain/check/sealing.ts';
import type { Role } from '../../domain/event.ts';
import { WRITERS } from '../route.ts';

/** Who may see what checks send and what comes back: those who can change them. */
export const seesSecrets = (role: Role | null): boolean => role !== null && WRITERS.includes(role);

type Metadata = Record<string, unknown>;

/**
 * What a run found out, as a caller may see it: of the headers of an answer, all but editors and admins see the
 * values of the harmless ones.
 */
export const shownMetadata = (metadata: Metadata, role: Role | null): Metadata => {
  const { headers } = metadata;
  if (seesSecrets(role) || typeof headers !== 'object' || headers === null) return metadata;
  const shown = Object.entries(headers).map(([name, value]: [string, unknown]) => [
    name,
    isHarmless(name) ? value : MASK,
  ]);
  return { ...metadata, headers: Object.fromEntries(shown) as Metadata };
};
