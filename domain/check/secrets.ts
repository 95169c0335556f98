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
 * Requires that a binding can be added to the check's other bindings.
 *
 * @throws NotFound
 * @throws Conflict the check is already bound to the secret, or another binding uses the environment variable
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

/**
 * Binds a check to one more secret. The caller must have claimed the secret for the check.
 *
 * @throws the same errors as {@link requireSecretQuota}
 */
export const bindSecret = (state: Check, binding: SecretBinding): CheckEvent => {
  requireSecretQuota(state, binding);
  const check = existing(state);
  return changed(check, [...check.secrets, binding]);
};

/** Replaces all bindings of a check. Returns no event if nothing changes. @throws NotFound */
export const replaceSecrets = (state: Check, secrets: SecretBinding[]): CheckEvent[] => {
  const check = existing(state);
  return isDeepStrictEqual(check.secrets, secrets) ? [] : [changed(check, secrets)];
};

/**
 * Removes the binding of a check to a secret.
 *
 * @throws NotFound the check does not exist, or is not bound to the secret
 */
export const unbindSecret = (state: Check, secretId: string): CheckEvent => {
  const check = existing(state);
  requireFound(bindingTo(check, secretId), 'binding');
  return changed(
    check,
    check.secrets.filter(({ secret_id }) => secret_id !== secretId),
  );
};

/** Returns the current binding of a check to a secret; undefined if there is none. */
export const bindingTo = (check: Check, secretId: string): SecretBinding | undefined =>
  isLive(check) ? check.secrets.find(({ secret_id }) => secret_id === secretId) : undefined;

/**
 * Whether a check refuses bindings with a claim on a secret, because this claim or a newer claim on the secret was
 * closed. A deleted check can be restored, so it refuses closed claims only.
 */
export const isClosedTo = (check: Check, secretId: string, claim: number): boolean => {
  if (check.status === 'absent') return false;
  if (check.status === 'abandoned') return true;
  const { closedClaims } = check.status === 'deleted' ? check.was : check;
  return claim <= (closedClaims.get(secretId) ?? 0);
};

/**
 * Makes a check refuse bindings with a claim on a secret. Returns no event if the check is already bound to the secret
 * (by any claim), or already refuses the claim. A check that does not exist yet is abandoned, so that it can never be
 * created.
 */
export const closeClaim = (check: Check, checkId: string, secretId: string, claim: number): CheckEvent[] => {
  if (check.status === 'absent') return [{ type: 'CheckCreationAbandoned', data: { check_id: checkId } }];
  if (bindingTo(check, secretId) || isClosedTo(check, secretId, claim)) return [];
  return [{ type: 'CheckSecretClaimClosed', data: { check_id: checkId, secret_id: secretId, claim } }];
};
