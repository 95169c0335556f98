import type { Handle } from '../../commands/engine/handle.ts';
import { secretDecider } from '../../domain/secret/state.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { findCheckOfAny } from '../../queries/checks/all-checks.ts';
import { listSecretsToOpen } from '../../queries/secrets.ts';
import type { BoundSecret } from '../../runners/worker/open-secrets.ts';
import type { WorkerDependencies } from '../../runners/worker/worker.ts';

/**
 * Returns a function that reads the secrets of a check at the start of a run. It reads them from read models. These are
 * current enough, because a client that changes a binding or a value gets its response only after the read models were
 * updated. If a secret is missing because a read model is late, the secret is read from its stream.
 */
export const boundSecrets = ({
  readers,
  handle,
}: {
  readers: Pick<Readers, 'for'>;
  handle: Handle;
}): WorkerDependencies['secretsOf'] => {
  const read = readers.for({ appended: new Map() });

  const fromStream = async (id: string, organizationId: string): Promise<BoundSecret['secret']> => {
    const secret = await handle.load(id, secretDecider, { organizationId });
    return secret.status === 'live' ? { secret_name: secret.name, secret_value: secret.value } : null;
  };

  return async (checkId, organizationId) => {
    const check = await findCheckOfAny({ read }, checkId);
    if (check?.organization_id !== organizationId) return [];
    return Promise.all(
      (await listSecretsToOpen({ read }, check)).map(async ({ secret_id, env_variable, secret }) => ({
        env_variable,
        secret: secret ?? (await fromStream(secret_id, organizationId)),
      })),
    );
  };
};
