import { Type } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';

const ids = { secret_id: Type.String() };
/** sealed under `secret-{id}` */
const value = { secret_value: Sealed };

/** A claim on a secret for a check. Claims are numbered consecutively per secret. */
const claim = { ...ids, check_id: Type.String(), claim: Type.Integer() };

/**
 * Events of a secret, in `secret-{secret_id}`. The checks' own streams record their bindings (`CheckSecretsChanged`). A
 * claim precedes a binding, so that the secret's stream decides between a concurrent binding and deletion
 * (commands/reservations/secret-claims.ts).
 */
export const secretEvents = {
  SecretCreated: {
    version: 1,
    data: Type.Object({
      ...ids,
      organization_id: Type.String(),
      secret_name: Type.String(),
      /** number of the claim on the name */
      name_claim: Type.Integer(),
      ...value,
    }),
  },
  /** The only event of a secret that was never created: a command claimed a name and then stalled, and another secret took it. */
  SecretCreationAbandoned: { version: 1, data: Type.Object(ids) },
  SecretValueChanged: { version: 1, data: Type.Object({ ...ids, ...value }) },
  /** a user is about to see the value */
  SecretValueRead: { version: 1, data: Type.Object(ids) },
  /** a check is about to be bound */
  SecretClaimed: { version: 1, data: Type.Object(claim) },
  /** the check is no longer bound by this claim, and can't be bound by it again */
  SecretClaimReleased: { version: 1, data: Type.Object(claim) },
  SecretDeleted: { version: 1, data: Type.Object(ids) },
} as const satisfies EventDefinitions;

export type SecretEvent = EventsOf<typeof secretEvents>;
