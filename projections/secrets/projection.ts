import { markOf, type ManagedObject } from '../../domain/managed/managed-by.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** A secret in the form of API responses. Its value is encrypted under `secret-{id}`. */
export interface SecretDocument extends ManagedObject {
  id: string;
  organization_id: string;
  secret_name: string;
  secret_value: Sealed;
  /** id of a user or of an API key */
  created_by: string;
  updated_by: string;
  created_at: Instant;
  updated_at: Instant;
}

/**
 * Secrets with their encrypted values, which are read when the parameters of a check are decrypted. Deleted secrets are
 * removed.
 */
export const secrets = defineProjection({
  name: 'secrets',
  version: 1,
  log: 'main',
  collections: {
    secrets: collection<SecretDocument>({ indexes: [{ organization_id: 1, created_at: -1 }] }),
  },
  documents: (event) => ({ secrets: [event.data.secret_id] }),
  on: {
    SecretCreated: ({ data, metadata: { actor, recorded_at } }, { secrets }) => {
      const { secret_id: id, organization_id, secret_name, secret_value } = data;
      secrets.put({
        id,
        organization_id,
        secret_name,
        secret_value,
        created_by: actor.id,
        ...markOf(data),
        updated_by: actor.id,
        created_at: recorded_at,
        updated_at: recorded_at,
      });
    },
    SecretValueChanged: ({ data: { secret_id, secret_value }, metadata: { actor, recorded_at } }, { secrets }) => {
      const secret = secrets.get(secret_id);
      if (secret) secrets.put({ ...secret, secret_value, updated_by: actor.id, updated_at: recorded_at });
    },
    SecretManagedByChanged: ({ data: { secret_id, managed_by }, metadata: { actor, recorded_at } }, { secrets }) => {
      const secret = secrets.get(secret_id);
      if (secret) secrets.put({ ...secret, managed_by, updated_by: actor.id, updated_at: recorded_at });
    },
    SecretDeleted: ({ data }, { secrets }) => {
      secrets.delete(data.secret_id);
    },
  },
});
