import type { Handle } from '../../commands/engine/handle.ts';
import { secretDecider } from '../../domain/secret/state.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { checkNow } from '../../queries/checks/every.ts';
import { secretsToOpen } from '../../queries/secrets.ts';
import type { BoundSecret } from '../../runners/worker/open-secrets.ts';
import type { WorkerDependencies } from '../../runners/worker/worker.ts';

/**
 * What a check is bound to, as the read models say when a run begins: whoever has changed a binding or a value was
 * answered when they knew. A secret that they do not know yet, since one of them is late, is read from its stream.
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
    const check = await checkNow({ read }, checkId);
    if (check?.organization_id !== organizationId) return [];
    return Promise.all(
      (await secretsToOpen({ read }, check)).map(async ({ secret_id, env_variable, secret }) => ({
        env_variable,
        secret: secret ?? (await fromStream(secret_id, organizationId)),
      })),
    );
  };
};
