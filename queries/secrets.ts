import { SECRET_VALUE } from '../domain/secret/decide.ts';
import { notFound } from '../domain/existence.ts';
import type { CheckDocument, CheckSecretBinding } from '../projections/checks/documents.ts';
import { secrets, type SecretDocument } from '../projections/secrets/projection.ts';
import { openText } from '../stores/keys/port.ts';
import { ownDocuments } from './engine/own-documents.ts';
import type { ReadScope, Scope } from './engine/scope.ts';

/** Queries for the secrets of an organization, newest first. They do not decrypt the values. */
export const ownSecrets = ownDocuments((read) => read(secrets).secrets, 'secret', {
  sort: { created_at: -1 },
  filters: {},
});

/**
 * Decrypts the value of a secret. Call this only after the access was recorded in the audit log
 * (commands/checks/secrets.ts).
 */
export const decryptSecretValue = (
  { keys }: Pick<Scope, 'keys'>,
  { organization_id: organizationId, secret_value }: SecretDocument,
): Promise<string> => openText(secret_value, { organizationId, field: SECRET_VALUE }, keys);

/** Returns those of the ids that belong to no secret of the organization. */
export const findUnknownSecrets = async (scope: ReadScope, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const found = ids.length === 0 ? [] : await scope.read(secrets).secrets.getMany([...new Set(ids)]);
  const own = new Set(found.filter((secret) => ownSecrets.isThere(secret, scope)).map(({ id }) => id));
  return new Set(ids.filter((id) => !own.has(id)));
};

/** A secret that a check is bound to, with its name. */
export interface BoundSecret extends CheckSecretBinding {
  secret: Pick<SecretDocument, 'id' | 'secret_name'>;
}

/** Reads the secrets of checks. Returns a function that lists the bindings of a check, without deleted secrets. */
export const listBindings = async (
  { read }: Pick<ReadScope, 'read'>,
  found: readonly Pick<CheckDocument, 'secrets' | 'organization_id'>[],
): Promise<(check: Pick<CheckDocument, 'secrets' | 'organization_id'>) => BoundSecret[]> => {
  const ids = new Set(found.flatMap((check) => check.secrets.map(({ secret_id }) => secret_id)));
  const known = ids.size === 0 ? [] : await read(secrets).secrets.getMany([...ids]);
  const byId = new Map(known.map((secret) => [secret.id, secret]));
  return (check) =>
    check.secrets.flatMap((binding) => {
      const secret = byId.get(binding.secret_id);
      if (secret?.organization_id !== check.organization_id) return [];
      const { id, secret_name } = secret;
      return [{ ...binding, secret: { id, secret_name } }];
    });
};

/** Finds the binding of a check to a secret. @throws NotFound */
export const findBinding = ({ secrets: bindings }: CheckDocument, secretId: string): CheckSecretBinding => {
  const binding = bindings.find(({ secret_id }) => secret_id === secretId);
  if (!binding) throw notFound('binding');
  return binding;
};

/** A secret for a run of a check. `secret` is null if the secret was deleted. */
export interface SecretToOpen extends Pick<CheckSecretBinding, 'secret_id' | 'env_variable'> {
  secret: Pick<SecretDocument, 'secret_name' | 'secret_value'> | null;
}

/** Lists the secrets that a run of a check needs. */
export const listSecretsToOpen = async (
  { read }: Pick<Scope, 'read'>,
  { secrets: bindings, organization_id }: Pick<CheckDocument, 'secrets' | 'organization_id'>,
): Promise<SecretToOpen[]> => {
  if (bindings.length === 0) return [];
  const found = await read(secrets).secrets.getMany(bindings.map(({ secret_id }) => secret_id));
  const byId = new Map(found.filter((one) => one.organization_id === organization_id).map((one) => [one.id, one]));
  return bindings.map(({ secret_id, env_variable }) => ({
    secret_id,
    env_variable,
    secret: byId.get(secret_id) ?? null,
  }));
};
