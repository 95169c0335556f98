import { requireFound } from '../../domain/existence.ts';
import type { ApiKeyDocument } from '../../projections/organizations/documents.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import type { ReadScope } from '../engine/scope.ts';

/** Whose API keys are visible: all keys, or only those of one creator. */
export type KeyCreators = 'everybody' | { userId: string | null; keyId: string | null };

/** Keys of a user are created by that user's sessions and keys; those of a key without a user, by that key. */
const isMadeBy = ({ created_by, created_by_key }: ApiKeyDocument, makers: KeyCreators): boolean => {
  if (makers === 'everybody') return true;
  if (makers.userId !== null) return created_by === makers.userId;
  return makers.keyId !== null && created_by_key === makers.keyId;
};

/** API keys that are not revoked, including expired ones, newest first; an organization has few. */
export const listVisibleApiKeys = async (
  { read, organizationId }: ReadScope,
  makers: KeyCreators,
): Promise<ApiKeyDocument[]> => {
  const where = { organization_id: organizationId };
  const keys = await read(organizations).api_keys.find({ where, sort: { created_at: -1 } });
  return keys.filter((key) => isMadeBy(key, makers));
};

/** @throws NotFound if it does not exist, or has another creator */
export const findApiKey = async (scope: ReadScope, makers: KeyCreators, id: string): Promise<ApiKeyDocument> =>
  requireFound(
    (await listVisibleApiKeys(scope, makers)).find(({ api_key_id }) => api_key_id === id) ?? null,
    'API key',
  );
