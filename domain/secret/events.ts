import { Type } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';

const ids = { secret_id: Type.String() };
/** sealed under `secret-{id}` */
const value = { secret_value: Sealed };

/** A claim on a secret for a check; each has the number after the last one's. */
const claim = { ...ids, check_id: Type.String(), claim: Type.Integer() };

/**
 * Events of a secret, in `secret-{secret_id}`. Which secrets a check is bound to stands with the check
 * (`CheckSecretsChanged`); a claim comes first, so that the secret's own stream decides between a check that comes to
 * need it and whoever deletes it (commands/reservations/secret-claims.ts).
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
  /** The first and last event of a secret whose creator had claimed a name and then fell silent: another one has it. */
  SecretCreationAbandoned: { version: 1, data: Type.Object(ids) },
  SecretValueChanged: { version: 1, data: Type.Object({ ...ids, ...value }) },
  /** somebody is about to be shown the value */
  SecretValueRead: { version: 1, data: Type.Object(ids) },
  /** a check is about to be bound */
  SecretClaimed: { version: 1, data: Type.Object(claim) },
  /** the check is no longer bound by this claim, and can't be any more */
  SecretClaimReleased: { version: 1, data: Type.Object(claim) },
  SecretDeleted: { version: 1, data: Type.Object(ids) },
} as const satisfies EventDefinitions;

export type SecretEvent = EventsOf<typeof secretEvents>;
