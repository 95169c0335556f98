import { endedBindings } from '../../domain/check/released-bindings.ts';
import type { SecretBinding } from '../../domain/check/events.ts';
import * as decide from '../../domain/check/secrets.ts';
import { checkDecider, existing } from '../../domain/check/state.ts';
import type { BindingInput } from '../../domain/secret/input.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

type Binding = Pick<CommandDependencies, 'handle' | 'secretClaims'>;

/**
 * Binds a check to one more secret.
 *
 * @throws NotFound
 * @throws Invalid if there is no such secret
 * @throws Conflict if the secret is already bound, or the variable already reads another secret
 * @throws IllegalState if the check has the maximum number of secrets
 */
export const bindSecret =
  ({ handle, secretClaims }: Binding) =>
  async (checkId: string, input: BindingInput, context: CommandContext): Promise<void> => {
    const bindings = secretClaims.claiming(checkId, context);
    await handle(
      checkId,
      checkDecider,
      async (check) => {
        // Refuse invalid bindings before claiming the secret.
        decide.requireSecretQuota(check, input);
        const [binding] = await bindings(check, [input], () => 'secret_id');
        return binding ? decide.bindSecret(check, binding) : [];
      },
      context,
    );
  };

/**
 * Replaces the secrets that a check is bound to.
 *
 * @param inputs the new bindings; each secret and each variable must be unique
 * @throws NotFound
 * @throws Invalid if there is no such secret
 */
export const replaceSecrets =
  ({ handle, secretClaims }: Binding) =>
  async (checkId: string, inputs: readonly BindingInput[], context: CommandContext): Promise<void> => {
    const bindings = secretClaims.claiming(checkId, context);
    let ended: SecretBinding[] = [];
    await handle(
      checkId,
      checkDecider,
      async (check) => {
        const { secrets: before } = existing(check);
        const after = await bindings(check, inputs, (n) => `${n}.secret_id`);
        ended = endedBindings(before, after);
        return decide.replaceSecrets(check, after);
      },
      context,
    );
    await secretClaims.release(checkId, ended, context);
  };

/**
 * Unbinds a check from a secret. The secret is not deleted.
 *
 * @throws NotFound if the check does not exist or is not bound to the secret
 */
export const unbindSecret =
  ({ handle, secretClaims }: Binding) =>
  async (checkId: string, secretId: string, context: CommandContext): Promise<void> => {
    let ended: SecretBinding[] = [];
    await handle(
      checkId,
      checkDecider,
      (check) => {
        const binding = decide.bindingTo(check, secretId);
        ended = binding ? [binding] : [];
        return decide.unbindSecret(check, secretId);
      },
      context,
    );
    await secretClaims.release(checkId, ended, context);
  };
