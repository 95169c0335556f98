import { isDeepStrictEqual } from 'node:util';
import { Conflict, IllegalState } from '../errors.ts';
import { found } from '../lifecycle.ts';
import { MOST_SECRETS, type BindingInput } from '../secret/input.ts';
import type { CheckEvent, SecretBinding } from './events.ts';
import { existing, isLive, type Check, type LiveCheck } from './state.ts';

const changed = (check: LiveCheck, secrets: SecretBinding[]): CheckEvent => ({
  type: 'CheckSecretsChanged',
  data: { check_id: check.id, secrets, previous: [...check.secrets] },
});

/**
 * Refuses a binding that can't stand beside the others of the check.
 *
 * @throws NotFound
 * @throws Conflict the secret is bound already, or the variable reads another one
 * @throws IllegalState the check has too many
 */
export const requireRoom = (state: Check, { secret_id, env_variable }: BindingInput): void => {
  const { secrets } = existing(state);
  if (secrets.some((binding) => binding.secret_id === secret_id)) {
    throw new Conflict('This secret is bound to the check already.', { json: { secret_id: ['Is bound already.'] } });
  }
  if (secrets.some((binding) => binding.env_variable === env_variable)) {
    const sentence = `The environment variable ${env_variable} reads another secret of the check.`;
    throw new Conflict(sentence, { json: { env_variable: ['Is taken.'] } });
  }
  if (secrets.length >= MOST_SECRETS) {
    throw new IllegalState(`A check can be bound to at most ${MOST_SECRETS.toString()} secrets.`);
  }
};

/** Binds a check to one more secret, which is claimed for it. @throws as {@link requireRoom} */
export const bindSecret = (state: Check, binding: SecretBinding): CheckEvent => {
  requireRoom(state, binding);
  const check = existing(state);
  return changed(check, [...check.secrets, binding]);
};

/** Binds a check to these secrets and to no others. No event if it is. @throws NotFound */
export const replaceSecrets = (state: Check, secrets: SecretBinding[]): CheckEvent[] => {
  const check = existing(state);
  return isDeepStrictEqual(check.secrets, secrets) ? [] : [changed(check, secrets)];
};

/** @throws NotFound there is no such check, or it is not bound to the secret */
export const unbindSecret = (state: Check, secretId: string): CheckEvent => {
  const check = existing(state);
  found(bindingTo(check, secretId), 'binding');
  return changed(
    check,
    check.secrets.filter(({ secret_id }) => secret_id !== secretId),
  );
};

/** How a check is bound to a secret now; undefined if it is not. */
export const bindingTo = (check: Check, secretId: string): SecretBinding | undefined =>
  isLive(check) ? check.secrets.find(({ secret_id }) => secret_id === secretId) : undefined;

/** Whether a check can't be bound to a secret by a claim, nor by an older one. A deleted one can be, when it is restored. */
export const isClosedTo = (check: Check, secretId: string, claim: number): boolean => {
  if (check.status === 'absent') return false;
  if (check.status === 'abandoned') return true;
  const { closedClaims } = check.status === 'deleted' ? check.was : check;
  return claim <= (closedClaims.get(secretId) ?? 0);
};

/**
 * Closes what a check could still do with a claim on a secret that it is not bound to. There is nothing to close if it
 * is bound, by whichever claim, or was abandoned. One that was not created yet never is.
 */
export const closeClaim = (check: Check, checkId: string, secretId: string, claim: number): CheckEvent[] => {
  if (check.status === 'absent') return [{ type: 'CheckCreationAbandoned', data: { check_id: checkId } }];
  if (bindingTo(check, secretId) || isClosedTo(check, secretId, claim)) return [];
  return [{ type: 'CheckSecretClaimClosed', data: { check_id: checkId, secret_id: secretId, claim } }];
};
