import { requireFound } from '../../domain/existence.ts';
import type { ApiKeyDocument } from '../../projections/organizations/documents.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import type { ReadScope } from '../engine/scope.ts';

/** Whose API keys are visible: all keys, or only those of one creator. */
export type KeyCreators = 'everybody' | { userId: string | null; keyId: string | null };

/**
 * Tests whether a key has one of these creators. A user's sessions and keys create keys of the user. If a key belongs
 * to no user, the keys that it creates belong to that key.
 */
const isMadeBy = ({ created_by, created_by_key }: ApiKeyDocument, makers: KeyCreators): boolean => {
  if (makers === 'everybody') return true;
  if (makers.userId !== null) return created_by === makers.userId;
  return makers.keyId !== null && created_by_key === makers.keyId;
};

/** Lists API keys that are not revoked, including expired ones, newest first. An organization has few keys. */
export const listVisibleApiKeys = async (
  { read, organizationId }: ReadScope,
  makers: KeyCreators,
): Promise<ApiKeyDocument[]> => {
  const where = { organization_id: organizationId };
  const keys = await read(organizations).api_keys.find({ where, sort: { created_at: -1 } });
  return keys.filter((key) => isMadeBy(key, makers));
};

/** @throws NotFound if the key does not exist or was created by another user */
export const findApiKey = async (scope: ReadScope, makers: KeyCreators, id: string): Promise<ApiKeyDocument> =>
  requireFound(
    (await listVisibleApiKeys(scope, makers)).find(({ api_key_id }) => api_key_id === id) ?? null,
    'API key',
  );
