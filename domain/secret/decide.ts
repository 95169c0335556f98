import { Conflict } from '../errors.ts';
import { markOf, type ManagedObject } from '../managed/managed-by.ts';
import type { Sealed } from '../sealed.ts';
import type { SecretEvent } from './events.ts';
import { existing, requireAbsent, type Secret } from './state.ts';

/** Returns the name of the key that seals a secret's value. */
export const secretKey = (secretId: string): string => `secret-${secretId}`;

/** The field name that a sealed value is bound to. */
export const SECRET_VALUE = 'secret_value';

/**
 * The kind under which names of secrets are reserved (domain/reservation/). A name is unique within an organization.
 */
export const SECRET_NAME_KIND = 'secret_name';

/**
 * Another secret has taken over the name and closed the claim. The command then tries to claim the name again. If
 * another secret uses the name, this second claim fails with SecretNameTaken.
 */
export class SecretNameLost extends Conflict {}

export interface NewSecret extends ManagedObject {
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
      ...markOf(input),
    },
  };
};

/** Closes the stream of a secret that was not created, so that this secret can never be created. */
export const abandonSecret = (secret: Secret, id: string): SecretEvent[] =>
  secret.status === 'absent' ? [{ type: 'SecretCreationAbandoned', data: { secret_id: id } }] : [];

/** Whether a secret holds its name. The name of a secret never changes. */
export const holdsName = (secret: Secret): boolean => secret.status === 'live';

/** Sets `managed_by`. Returns no event if it is undefined or does not change. @throws NotFound */
export const changeManagedBy = (secret: Secret, { managed_by }: ManagedObject): SecretEvent[] => {
  const { id, managed_by: previous } = existing(secret);
  if (managed_by === undefined || managed_by === previous) return [];
  return [{ type: 'SecretManagedByChanged', data: { secret_id: id, managed_by, previous } }];
};

/** Sets the value of a secret. The event is recorded even if the value does not change. @throws NotFound */
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
 * Claims the secret for a check. This must happen before the check's stream records the binding. If the check already
 * has a claim, the check gets a claim with a new number, so that releasing the previous claim has no effect.
 *
 * @throws NotFound
 */
export const claimSecret = (secret: Secret, checkId: string): SecretEvent => {
  const { id, lastClaim } = existing(secret);
  return { type: 'SecretClaimed', data: { secret_id: id, check_id: checkId, claim: lastClaim + 1 } };
};

/** Releases the newest claim of a check, unless the number of this claim is greater than `upTo`. */
export const releaseClaim = (secret: Secret, checkId: string, upTo: number): SecretEvent[] => {
  if (secret.status !== 'live') return [];
  const claim = secret.claims.get(checkId) ?? Infinity;
  return claim <= upTo
    ? [{ type: 'SecretClaimReleased', data: { secret_id: secret.id, check_id: checkId, claim } }]
    : [];
};

/** Thrown if a check has claimed the secret after the caller had settled the claims on the secret. */
export class ClaimRepeated extends Error {}

/**
 * Deletes a secret that no check is bound to.
 *
 * @param settled maps each check to the number of its newest claim that is unused and closed
 * @throws NotFound
 * @throws ClaimRepeated a check has a newer claim than in `settled`
 */
export const deleteSecret = (secret: Secret, settled: ReadonlyMap<string, number>): SecretEvent => {
  const { id, claims } = existing(secret);
  for (const [checkId, claim] of claims) {
    if ((settled.get(checkId) ?? 0) < claim) throw new ClaimRepeated(`The check ${checkId} has claimed the secret.`);
  }
  return { type: 'SecretDeleted', data: { secret_id: id } };
};
