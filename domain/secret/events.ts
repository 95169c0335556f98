import { Type } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';
import { managedBy } from '../managed/managed-by.ts';
import { Sealed } from '../sealed.ts';

const ids = { secret_id: Type.String() };
/** The secret value, sealed under the key `secret-{id}`. */
const value = { secret_value: Sealed };

const mark = Type.Union([Type.String(), Type.Null()]);

/** A claim of a check on a secret. The claims of a secret are numbered consecutively. */
const claim = { ...ids, check_id: Type.String(), claim: Type.Integer() };

/**
 * Events of a secret, in `secret-{secret_id}`. The binding of a check to a secret is recorded in the check's stream
 * (`CheckSecretsChanged`). Before the binding, the check's claim is recorded in the secret's stream. So if a secret is
 * bound and deleted concurrently, the order of events in the secret's stream decides which command fails
 * (commands/reservations/secret-claims.ts).
 */
export const secretEvents = {
  SecretCreated: {
    version: 2,
    data: Type.Object({
      ...ids,
      organization_id: Type.String(),
      secret_name: Type.String(),
      /** number of the claim on the name */
      name_claim: Type.Integer(),
      ...value,
      ...managedBy,
    }),
  },
  /**
   * The only event of a secret that was never created. Its command claimed a name and then stalled, so another secret
   * took over the name.
   */
  SecretCreationAbandoned: { version: 1, data: Type.Object(ids) },
  /** `managed_by` changed. A change of both fields appends this event before `SecretValueChanged`. */
  SecretManagedByChanged: { version: 1, data: Type.Object({ ...ids, managed_by: mark, previous: mark }) },
  SecretValueChanged: { version: 1, data: Type.Object({ ...ids, ...value }) },
  /** A user is about to see the value. */
  SecretValueRead: { version: 1, data: Type.Object(ids) },
  /** A check is about to be bound to the secret. */
  SecretClaimed: { version: 1, data: Type.Object(claim) },
  /** The check is no longer bound to the secret by this claim, and cannot use this claim for a later binding. */
  SecretClaimReleased: { version: 1, data: Type.Object(claim) },
  SecretDeleted: { version: 1, data: Type.Object(ids) },
} as const satisfies EventDefinitions;

export type SecretEvent = EventsOf<typeof secretEvents>;
