import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** `name` of a type in types/. Events accept any text, so a new type needs no new event version; requests are strict. */
export const CheckTypeName = Type.String();
export type CheckTypeName = Static<typeof CheckTypeName>;

/**
 * Settings by type, as sent. Secrets and personal data in them are `Sealed` (sealing.ts lists the paths), except the
 * `send_text` of tcp checks from before it was sealed.
 */
export const StoredParameters = Type.Record(Type.String(), Type.Unknown());
export type StoredParameters = Static<typeof StoredParameters>;

/** The fields that a change of a check can set. The type never changes. */
const settings = {
  name: Type.String(),
  active: Type.Boolean(),
  /** seconds between runs */
  interval: Type.Integer(),
  /** seconds until a run counts as timed out; may have fractions */
  timeout: Type.Number(),
  /** null if the type uses a URL */
  host: nullable(Type.String()),
  /** null if the type uses a host */
  url: nullable(Type.String()),
  port: nullable(Type.Integer()),
  parameters: StoredParameters,
  /** sorted, without duplicates (domain/tags.ts) */
  tags: Type.Array(Type.String()),
};

/** The group of a check, and its position in the group from 1; both null without a group. */
const place = { group_id: nullable(Type.String()), position: nullable(Type.Integer()) };

/** A binding of a check to a secret, which its script reads from an environment variable. */
export const SecretBinding = Type.Object({
  id: Type.String(),
  secret_id: Type.String(),
  env_variable: Type.String(),
  /** number of the claim on the secret (domain/secret/events.ts) */
  claim: Type.Integer(),
});
export type SecretBinding = Static<typeof SecretBinding>;

/** The secrets of a check in display order. */
const Secrets = Type.Array(SecretBinding);

/** The result that changed the status of a check. */
const verdict = {
  check_id: Type.String(),
  result_id: Type.String(),
  run_id: Type.String(),
  /** when the run was due */
  slot: InstantSchema,
  /** id of the region the result came from */
  region: Type.String(),
  /** when the result was recorded */
  at: InstantSchema,
};

/** Events of a check, in its stream `check-{check_id}` of the main log. */
export const checkEvents = {
  CheckCreated: {
    version: 5,
    data: Type.Object({
      check_id: Type.String(),
      organization_id: Type.String(),
      type: CheckTypeName,
      ...settings,
      ...place,
      secrets: Secrets,
    }),
  },
  CheckUpdated: {
    version: 3,
    data: Type.Object({
      check_id: Type.String(),
      changes: Type.Partial(Type.Object(settings)),
      previous: Type.Partial(Type.Object(settings)),
    }),
  },
  /**
   * The only event of a check that was never created: a command claimed a quota slot for it and then stalled. The stream
   * is closed, so that another check can use the slot.
   */
  CheckCreationAbandoned: { version: 1, data: Type.Object({ check_id: Type.String() }) },
  CheckDeleted: {
    version: 2,
    data: Type.Object({
      check_id: Type.String(),
      /** absent before version 2: such a deletion can't be undone */
      deleted_at: Type.Optional(InstantSchema),
    }),
  },
  /** Its deletion was undone. All other data of the check is unchanged. */
  CheckRestored: {
    version: 1,
    data: Type.Object({
      check_id: Type.String(),
      organization_id: Type.String(),
      deleted_at: InstantSchema,
      restored_at: InstantSchema,
      active: Type.Boolean(),
      /** seconds between runs */
      interval: Type.Integer(),
      /** whether it is parked, since its runs ended the probe process twice */
      parked: Type.Boolean(),
      ...place,
      /** with new claims; bindings to deleted secrets are dropped */
      secrets: Secrets,
    }),
  },
  /**
   * A command claimed a quota slot to restore the check and then stalled. After this event, the stalled restoration fails with a conflict, and another check can use its quota slot. A later restoration needs a new slot.
   */
  CheckRestorationAbandoned: { version: 1, data: Type.Object({ check_id: Type.String() }) },
  /** moved to another group, out of its group, or within its group; a deleted group counts as none */
  CheckGrouped: {
    version: 1,
    data: Type.Object({ check_id: Type.String(), ...place, previous: Type.Object(place) }),
  },
  /** its alerts send no messages until `muted_until`; null: not muted. Never an instant in the past */
  CheckMuted: {
    version: 1,
    data: Type.Object({
      check_id: Type.String(),
      muted_until: nullable(InstantSchema),
      previous: nullable(InstantSchema),
    }),
  },
  /** the secrets or their variables changed */
  CheckSecretsChanged: {
    version: 1,
    data: Type.Object({ check_id: Type.String(), secrets: Secrets, previous: Secrets }),
  },
  /**
   * While a secret was being deleted, a claim of this check was found that no binding used. Bindings with this claim or an older one are refused from now on.
   */
  CheckSecretClaimClosed: {
    version: 1,
    data: Type.Object({ check_id: Type.String(), secret_id: Type.String(), claim: Type.Integer() }),
  },
  /** the first result was a success */
  CheckCameUp: { version: 1, data: Type.Object(verdict) },
  /** a failure, after a success or as the first result */
  CheckWentDown: { version: 1, data: Type.Object({ ...verdict, error_message: nullable(Type.String()) }) },
  /** a success after a failure */
  CheckRecovered: { version: 1, data: Type.Object(verdict) },
  /** a run crashed its process, and its retry crashed a second one. No run starts until the check is changed or released */
  CheckParked: {
    version: 1,
    data: Type.Object({
      check_id: Type.String(),
      run_id: Type.String(),
      /** id of the region in which it ran */
      region: Type.String(),
      at: InstantSchema,
      /** how the process ended, as `it was ended by SIGABRT` */
      cause: Type.String(),
    }),
  },
  /** an operator allowed it to run again unchanged */
  CheckReleased: { version: 1, data: Type.Object({ check_id: Type.String() }) },
} as const satisfies EventDefinitions;

export type CheckEvent = EventsOf<typeof checkEvents>;
