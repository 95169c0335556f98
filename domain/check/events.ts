import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** `name` of a type in types/. Any text, so a new type needs no new event version; requests are checked strictly. */
export const CheckTypeName = Type.String();
export type CheckTypeName = Static<typeof CheckTypeName>;

/**
 * Settings by type, as they were sent; secrets and personal data in them are `Sealed` (sealing.ts names the
 * places), except the `send_text` of tcp checks that were defined before that was sealed.
 */
export const StoredParameters = Type.Record(Type.String(), Type.Unknown());
export type StoredParameters = Static<typeof StoredParameters>;

/** The fields that a change of a check can set; the type of a check never changes. */
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
  /** each once, sorted (domain/tags.ts) */
  tags: Type.Array(Type.String()),
};

/** The place of a check: its group, and its order there from 1; both null in no group. */
const place = { group_id: nullable(Type.String()), position: nullable(Type.Integer()) };

/** A secret that a check is bound to: its script reads it through an environment variable. */
export const SecretBinding = Type.Object({
  id: Type.String(),
  secret_id: Type.String(),
  env_variable: Type.String(),
  /** number of the claim on the secret by which it is bound (domain/secret/events.ts) */
  claim: Type.Integer(),
});
export type SecretBinding = Static<typeof SecretBinding>;

/** The secrets of a check, in the order in which they are shown. */
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
   * The first and last event of a check whose creator had a place in the plan for it and then fell silent: the stream is
   * closed, so another check can have the place. The check never existed.
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
  /** Its deletion was undone. Everything that the deletion has not changed is as it was. */
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
      /** its runs had ended the probe process twice */
      parked: Type.Boolean(),
      ...place,
      /** with new claims; those whose secret was deleted meanwhile are left out */
      secrets: Secrets,
    }),
  },
  /**
   * Whoever was about to restore the check had a place in the plan for it and then fell silent: a restoration that was
   * decided before this event fails, so another check can have the place. A later one needs a place of its own.
   */
  CheckRestorationAbandoned: { version: 1, data: Type.Object({ check_id: Type.String() }) },
  /** moved to another group, to none, or within its group; a group that was deleted since counts as none */
  CheckGrouped: {
    version: 1,
    data: Type.Object({ check_id: Type.String(), ...place, previous: Type.Object(place) }),
  },
  /** its alerts send no messages until then; null: they send them. Never an instant that had passed */
  CheckMuted: {
    version: 1,
    data: Type.Object({
      check_id: Type.String(),
      muted_until: nullable(InstantSchema),
      previous: nullable(InstantSchema),
    }),
  },
  /** bound to other secrets, or through other variables */
  CheckSecretsChanged: {
    version: 1,
    data: Type.Object({ check_id: Type.String(), secrets: Secrets, previous: Secrets }),
  },
  /**
   * Whoever deletes the secret has found a claim for the check that it does not use: by this one or an older one it
   * can't be bound to the secret any more.
   */
  CheckSecretClaimClosed: {
    version: 1,
    data: Type.Object({ check_id: Type.String(), secret_id: Type.String(), claim: Type.Integer() }),
  },
  /** the first result was good */
  CheckCameUp: { version: 1, data: Type.Object(verdict) },
  /** a bad result, after a good one or as the first */
  CheckWentDown: { version: 1, data: Type.Object({ ...verdict, error_message: nullable(Type.String()) }) },
  /** a good result after a bad one */
  CheckRecovered: { version: 1, data: Type.Object(verdict) },
  /** a run ended its process, and then a second one of its own: none begins until the check is changed or released */
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
  /** an operator lets it run again unchanged */
  CheckReleased: { version: 1, data: Type.Object({ check_id: Type.String() }) },
} as const satisfies EventDefinitions;

export type CheckEvent = EventsOf<typeof checkEvents>;
