import { revisionOf } from '../../domain/revision.ts';
import type { RecordedEvent } from '../../domain/event.ts';
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
  /** see domain/revision.ts */
  revision: number;
  /** id of a user or of an API key */
  created_by: string;
  updated_by: string;
  created_at: Instant;
  updated_at: Instant;
}

/** Returns the fields that every change sets. */
const changeBy = (event: RecordedEvent): Pick<SecretDocument, 'revision' | 'updated_by' | 'updated_at'> => ({
  revision: revisionOf(event),
  updated_by: event.metadata.actor.id,
  updated_at: event.metadata.recorded_at,
});

/**
 * Secrets with their encrypted values, which are read when the parameters of a check are decrypted. Deleted secrets are
 * removed.
 */
export const secrets = defineProjection({
  name: 'secrets',
  version: 2,
  log: 'main',
  collections: {
    secrets: collection<SecretDocument>({ indexes: [{ organization_id: 1, created_at: -1 }] }),
  },
  documents: (event) => ({ secrets: [event.data.secret_id] }),
  on: {
    SecretCreated: (event, { secrets }) => {
      const { data, metadata } = event;
      const { secret_id: id, organization_id, secret_name, secret_value } = data;
      secrets.put({
        id,
        organization_id,
        secret_name,
        secret_value,
        revision: revisionOf(event),
        created_by: metadata.actor.id,
        ...markOf(data),
        updated_by: metadata.actor.id,
        created_at: metadata.recorded_at,
        updated_at: metadata.recorded_at,
      });
    },
    SecretValueChanged: (event, { secrets }) => {
      const { secret_id, secret_value } = event.data;
      const secret = secrets.get(secret_id);
      if (secret) secrets.put({ ...secret, secret_value, ...changeBy(event) });
    },
    SecretManagedByChanged: (event, { secrets }) => {
      const { secret_id, managed_by } = event.data;
      const secret = secrets.get(secret_id);
      if (secret) secrets.put({ ...secret, managed_by, ...changeBy(event) });
    },
    SecretDeleted: ({ data }, { secrets }) => {
      secrets.delete(data.secret_id);
    },
  },
});
