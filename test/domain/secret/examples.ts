import type { EventOf } from '../../../domain/event-types.ts';
import type { Sealed } from '../../../domain/sealed.ts';
import { CHECK, ORGANIZATION } from '../check/examples.ts';

/** Events of one secret, for tests. */
export const SECRET = 'secret000001';
export const NAME = 'API_TOKEN';

/** Returns a stored value. */
export const sealedValue = (sealed = 'c2VhbGVk'): Sealed => ({ key: `secret-${SECRET}`, sealed });

export const secretCreated = (fields: Partial<EventOf<'SecretCreated'>['data']> = {}): EventOf<'SecretCreated'> => ({
  type: 'SecretCreated',
  data: {
    secret_id: SECRET,
    organization_id: ORGANIZATION,
    secret_name: NAME,
    name_claim: 1,
    secret_value: sealedValue(),
    ...fields,
  },
});

export const secretAbandoned: EventOf<'SecretCreationAbandoned'> = {
  type: 'SecretCreationAbandoned',
  data: { secret_id: SECRET },
};

export const valueChanged = (sealed = 'b3RoZXI'): EventOf<'SecretValueChanged'> => ({
  type: 'SecretValueChanged',
  data: { secret_id: SECRET, secret_value: sealedValue(sealed) },
});

export const managedByChanged = (managed_by: string | null = 'apply'): EventOf<'SecretManagedByChanged'> => ({
  type: 'SecretManagedByChanged',
  data: { secret_id: SECRET, managed_by, previous: managed_by === null ? 'apply' : null },
});

export const valueRead: EventOf<'SecretValueRead'> = { type: 'SecretValueRead', data: { secret_id: SECRET } };

export const secretClaimed = (claim: number, check_id = CHECK): EventOf<'SecretClaimed'> => ({
  type: 'SecretClaimed',
  data: { secret_id: SECRET, check_id, claim },
});

export const claimReleased = (claim: number, check_id = CHECK): EventOf<'SecretClaimReleased'> => ({
  type: 'SecretClaimReleased',
  data: { secret_id: SECRET, check_id, claim },
});

export const secretDeleted: EventOf<'SecretDeleted'> = { type: 'SecretDeleted', data: { secret_id: SECRET } };
