import { isDeepStrictEqual } from 'node:util';
import { Conflict, IllegalState } from '../errors.ts';
import { requireFound } from '../existence.ts';
import { MAX_SECRETS, type BindingInput } from '../secret/input.ts';
import type { CheckEvent, SecretBinding } from './events.ts';
import { existing, isLive, type Check, type LiveCheck } from './state.ts';

const changed = (check: LiveCheck, secrets: SecretBinding[]): CheckEvent => ({
  type: 'CheckSecretsChanged',
  data: { check_id: check.id, secrets, previous: [...check.secrets] },
});

/**
 * Requires that a binding can be added to the others of the check.
 *
 * @throws NotFound
 * @throws Conflict the secret is already bound, or the variable reads another secret
 * @throws IllegalState the check has the maximum number of secrets
 */
export const requireSecretQuota = (state: Check, { secret_id, env_variable }: BindingInput): void => {
  const { secrets } = existing(state);
  if (secrets.some((binding) => binding.secret_id === secret_id)) {
    throw new Conflict('This secret is already bound to the check.', { json: { secret_id: ['Is already bound.'] } });
  }
  if (secrets.some((binding) => binding.env_variable === env_variable)) {
    const sentence = `The environment variable ${env_variable} reads another secret of the check.`;
    throw new Conflict(sentence, { json: { env_variable: ['Is taken.'] } });
  }
  if (secrets.length >= MAX_SECRETS) {
    throw new IllegalState(`A check can be bound to at most ${MAX_SECRETS} secrets.`);
  }
};

/** Binds a check to one more secret, which must be claimed for it. @throws as {@link requireSecretQuota} */
export const bindSecret = (state: Check, binding: SecretBinding): CheckEvent => {
  requireSecretQuota(state, binding);
  const check = existing(state);
  return changed(check, [...check.secrets, binding]);
};

/** Replaces all bindings of a check. No event if nothing changes. @throws NotFound */
export const replaceSecrets = (state: Check, secrets: SecretBinding[]): CheckEvent[] => {
  const check = existing(state);
  return isDeepStrictEqual(check.secrets, secrets) ? [] : [changed(check, secrets)];
};

/** @throws NotFound the check does not exist, or is not bound to the secret */
export const unbindSecret = (state: Check, secretId: string): CheckEvent => {
  const check = existing(state);
  requireFound(bindingTo(check, secretId), 'binding');
  return changed(
    check,
    check.secrets.filter(({ secret_id }) => secret_id !== secretId),
  );
};

/** The current binding of a check to a secret; undefined if there is none. */
export const bindingTo = (check: Check, secretId: string): SecretBinding | undefined =>
  isLive(check) ? check.secrets.find(({ secret_id }) => secret_id === secretId) : undefined;

/** Whether a check is closed to a claim on a secret and to older ones. A deleted check is not, since it can be restored. */
export const isClosedTo = (check: Check, secretId: string, claim: number): boolean => {
  if (check.status === 'absent') return false;
  if (check.status === 'abandoned') return true;
  const { closedClaims } = check.status === 'deleted' ? check.was : check;
  return claim <= (closedClaims.get(secretId) ?? 0);
};

/**
 * Closes a check to an unused claim on a secret. Does nothing if the check is bound to the secret by any claim, or was
 * abandoned. A check that does not exist yet is abandoned, and can never be created.
 */
export const closeClaim = (check: Check, checkId: string, secretId: string, claim: number): CheckEvent[] => {
  if (check.status === 'absent') return [{ type: 'CheckCreationAbandoned', data: { check_id: checkId } }];
  if (bindingTo(check, secretId) || isClosedTo(check, secretId, claim)) return [];
  return [{ type: 'CheckSecretClaimClosed', data: { check_id: checkId, secret_id: secretId, claim } }];
};
