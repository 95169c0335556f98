import { Conflict } from '../errors.ts';
import type { Sealed } from '../sealed.ts';
import type { SecretEvent } from './events.ts';
import { existing, requireAbsent, type Secret } from './state.ts';

/** Name of the key that seals a secret's value. */
export const secretKey = (secretId: string): string => `secret-${secretId}`;

/** The field that the sealed value is bound to. */
export const SECRET_VALUE = 'secret_value';

/** The kind of the names that are unique in an organization (domain/reservation/). */
export const SECRET_NAME_KIND = 'secret_name';

/** Another secret has taken over the name and closed the claim. The command claims it again, or gets SecretNameTaken. */
export class SecretNameLost extends Conflict {}

export interface NewSecret {
  id: string;
  organizationId: string;
  name: string;
  /** number of the claim on the name */
  nameClaim: number;
  value: Sealed;
}

/** @throws SecretNameLost */
export const requireCreatable = (secret: Secret): void => {
  if (secret.status === 'abandoned') throw new SecretNameLost('The name was taken by another secret.');
  requireAbsent(secret);
};

/** @throws SecretNameLost */
export const createSecret = (secret: Secret, input: NewSecret): SecretEvent => {
  requireCreatable(secret);
  const { id, organizationId, name, nameClaim, value } = input;
  return {
    type: 'SecretCreated',
    data: {
      secret_id: id,
      organization_id: organizationId,
      secret_name: name,
      name_claim: nameClaim,
      secret_value: value,
    },
  };
};

/** Closes the stream of a secret that was not created, so that it can never be created. */
export const abandonSecret = (secret: Secret, id: string): SecretEvent[] =>
  secret.status === 'absent' ? [{ type: 'SecretCreationAbandoned', data: { secret_id: id } }] : [];

/** Whether a secret holds its name, which never changes. */
export const holdsName = (secret: Secret): boolean => secret.status === 'live';

/** Sets the value; an equal value is recorded too. @throws NotFound */
export const changeValue = (secret: Secret, value: Sealed): SecretEvent => ({
  type: 'SecretValueChanged',
  data: { secret_id: existing(secret).id, secret_value: value },
});

/** @throws NotFound */
export const readValue = (secret: Secret): SecretEvent => ({
  type: 'SecretValueRead',
  data: { secret_id: existing(secret).id },
});

/**
 * Claims the secret for a check, before the check's stream records the binding. A check that already has a claim gets a
 * new one, so that a release of the old claim has no effect.
 *
 * @throws NotFound
 */
export const claimSecret = (secret: Secret, checkId: string): SecretEvent => {
  const { id, lastClaim } = existing(secret);
  return { type: 'SecretClaimed', data: { secret_id: id, check_id: checkId, claim: lastClaim + 1 } };
};

/** Releases a claim and older ones of the same check, but not a newer one. */
export const releaseClaim = (secret: Secret, checkId: string, upTo: number): SecretEvent[] => {
  if (secret.status !== 'live') return [];
  const claim = secret.claims.get(checkId) ?? Infinity;
  return claim <= upTo
    ? [{ type: 'SecretClaimReleased', data: { secret_id: secret.id, check_id: checkId, claim } }]
    : [];
};

/** A check has claimed the secret since its claims were settled. */
export class ClaimRepeated extends Error {}

/**
 * Deletes a secret that no check is bound to.
 *
 * @param settled by check, the claims that are unused and closed
 * @throws NotFound
 * @throws ClaimRepeated there are other claims
 */
export const deleteSecret = (secret: Secret, settled: ReadonlyMap<string, number>): SecretEvent => {
  const { id, claims } = existing(secret);
  for (const [checkId, claim] of claims) {
    if ((settled.get(checkId) ?? 0) < claim) throw new ClaimRepeated(`The check ${checkId} has claimed the secret.`);
  }
  return { type: 'SecretDeleted', data: { secret_id: id } };
};
