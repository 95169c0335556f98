import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { ManagedObject } from '../managed/managed-by.ts';
import type { Sealed } from '../sealed.ts';
import type { SecretEvent } from './events.ts';

export interface LiveSecret extends Required<ManagedObject> {
  status: 'live';
  id: string;
  name: string;
  value: Sealed;
  /**
   * Maps each check to the number of its newest unreleased claim. The check is bound to the secret, or about to be
   * bound, or its binding was abandoned.
   */
  claims: ReadonlyMap<string, number>;
  /** the highest claim number so far */
  lastClaim: number;
}

export type Secret =
  | { status: 'absent' }
  | LiveSecret
  | { status: 'deleted' }
  /** the secret was abandoned before it was created */
  | { status: 'abandoned' };

export const { existing, requireAbsent, onExisting } = lifecycleOf<Secret>('secret');

const evolve = (secret: Secret, event: SecretEvent): Secret => {
  switch (event.type) {
    case 'SecretCreated': {
      const { secret_id: id, secret_name: name, secret_value: value, managed_by = null } = event.data;
      return { status: 'live', id, name, value, managed_by, claims: new Map(), lastClaim: 0 };
    }
    case 'SecretCreationAbandoned':
      return { status: 'abandoned' };
    case 'SecretManagedByChanged':
      return onExisting(secret, (live) => ({ ...live, managed_by: event.data.managed_by }));
    case 'SecretValueChanged':
      return onExisting(secret, (live) => ({ ...live, value: event.data.secret_value }));
    case 'SecretValueRead':
      return secret;
    case 'SecretClaimed': {
      const { check_id, claim } = event.data;
      return onExisting(secret, (live) => ({
        ...live,
        claims: new Map([...live.claims, [check_id, claim]]),
        lastClaim: claim,
      }));
    }
    case 'SecretClaimReleased':
      return onExisting(secret, (live) => ({ ...live, claims: without(live.claims, event.data.check_id) }));
    case 'SecretDeleted':
      return { status: 'deleted' };
    default:
      return unreachable(event);
  }
};

const without = (claims: LiveSecret['claims'], checkId: string): LiveSecret['claims'] =>
  new Map([...claims].filter(([id]) => id !== checkId));

/** The state of a secret: a named value that checks can read. */
export const secretDecider: Decider<Secret, SecretEvent> = {
  category: 'secret',
  initialState: { status: 'absent' },
  evolve,
};
