import { found } from '../../domain/lifecycle.ts';
import type { ApiKeyDocument } from '../../projections/organizations/documents.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import type { Reading } from '../engine/scope.ts';

/** Whose API keys are seen: everybody's, or only those that somebody made. */
export type Makers = 'everybody' | { userId: string | null; keyId: string | null };

/** Keys of a user are made by that user's sessions and keys; those of a key that is nobody's, by that key. */
const isMadeBy = ({ created_by, created_by_key }: ApiKeyDocument, makers: Makers): boolean => {
  if (makers === 'everybody') return true;
  if (makers.userId !== null) return created_by === makers.userId;
  return makers.keyId !== null && created_by_key === makers.keyId;
};

/** API keys that were not revoked, expired ones included, newest first; an organization has few. */
export const apiKeysOf = async ({ read, organizationId }: Reading, makers: Makers): Promise<ApiKeyDocument[]> => {
  const where = { organization_id: organizationId };
  const keys = await read(organizations).api_keys.find({ where, sort: { created_at: -1 } });
  return keys.filter((key) => isMadeBy(key, makers));
};

/** @throws NotFound there is none, or others made it */
export const findApiKey = async (scope: Reading, makers: Makers, id: string): Promise<ApiKeyDocument> =>
  found((await apiKeysOf(scope, makers)).find(({ api_key_id }) => api_key_id === id) ?? null, 'API key');
