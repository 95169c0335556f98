import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { managedBy } from '../managed/managed-by.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/**
 * The `name` of a check type in types/. Events accept any text, so a new type needs no new event version. Requests
 * accept known types only.
 */
export const CheckTypeName = Type.String();
export type CheckTypeName = Static<typeof CheckTypeName>;

/**
 * The parameters of a check, as the client sent them. Secrets and personal data in them are `Sealed` at the paths that
 * sealing.ts determines. Exception: old events contain the `send_text` of tcp checks as plain text.
 */
export const StoredParameters = Type.Record(Type.String(), Type.Unknown());
export type StoredParameters = Static<typeof StoredParameters>;

/** The fields of a check that clients can change. */
const settings = {
  name: Type.String(),
  active: Type.Boolean(),
  /** seconds between runs */
  interval: Type.Integer(),
  /** seconds until a run times out, possibly with a fraction */
  timeout: Type.Number(),
  /** null if the type uses a URL */
  host: nullable(Type.String()),
  /** null if the type uses a host */
  url: nullable(Type.String()),
  port: nullable(Type.Integer()),
  parameters: StoredParameters,
  /** sorted, without duplicates (domain/tags.ts) */
  tags: Type.Array(Type.String()),
  ...managedBy,
};

/** The group of a check, and the check's position in it, from 1. Both are null without a group. */
const place = { group_id: nullable(Type.String()), position: nullable(Type.Integer()) };

/** Binds a check to a secret. The check's script reads the secret from an environment variable. */
export const SecretBinding = Type.Object({
  id: Type.String(),
  secret_id: Type.String(),
  env_variable: Type.String(),
  /** number of the check's claim on the secret (domain/secret/events.ts) */
  claim: Type.Integer(),
});
export type SecretBinding = Static<typeof SecretBinding>;

/** The secrets of a check in display order. */
const Secrets = Type.Array(SecretBinding);

/** The data of a result that changed the status of a check. */
const verdict = {
  check_id: Type.String(),
  result_id: Type.String(),
  run_id: Type.String(),
  /** when the run was due */
  slot: InstantSchema,
  /** id of the region of the run */
  region: Type.String(),
  /** when the result was recorded */
  at: InstantSchema,
};

/** Events of a check, in its stream `check-{check_id}` of the main log. */
export const checkEvents = {
  CheckCreated: {
    version: 6,
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
    version: 4,
    data: Type.Object({
      check_id: Type.String(),
      changes: Type.Partial(Type.Object(settings)),
      previous: Type.Partial(Type.Object(settings)),
    }),
  },
  /**
   * The only event of a check that was never created: a command claimed a quota slot or a secret for the check, and
   * then stalled. This event closes the stream, so that the claims can be released.
   */
  CheckCreationAbandoned: { version: 1, data: Type.Object({ check_id: Type.String() }) },
  CheckDeleted: {
    version: 2,
    data: Type.Object({
      check_id: Type.String(),
      /** absent in events of version 1, whose deletion can't be undone */
      deleted_at: Type.Optional(InstantSchema),
    }),
  },
  /** The deletion of the check was undone. Data that this event does not contain is the same as before the deletion. */
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
      /** whether the check is parked (parking.ts) */
      parked: Type.Boolean(),
      ...place,
      /**
       * the bindings of the check, each with a new claim; bindings to secrets that were deleted meanwhile are absent
       */
      secrets: Secrets,
    }),
  },
  /**
   * A command claimed a quota slot to restore the check, and then stalled. This event makes the stalled restoration
   * fail with a conflict, so that another check can use the slot. A later restoration needs a new slot.
   */
  CheckRestorationAbandoned: { version: 1, data: Type.Object({ check_id: Type.String() }) },
  /**
   * The check was moved to another group, out of its group, or within its group. A deleted group counts as no group.
   */
  CheckGrouped: {
    version: 1,
    data: Type.Object({ check_id: Type.String(), ...place, previous: Type.Object(place) }),
  },
  /**
   * Alerts of the check send no messages until `muted_until`, which is never in the past. Null: the check is not muted.
   */
  CheckMuted: {
    version: 1,
    data: Type.Object({
      check_id: Type.String(),
      muted_until: nullable(InstantSchema),
      previous: nullable(InstantSchema),
    }),
  },
  /** The bound secrets or their environment variables changed. */
  CheckSecretsChanged: {
    version: 1,
    data: Type.Object({ check_id: Type.String(), secrets: Secrets, previous: Secrets }),
  },
  /**
   * When a secret was deleted, this check had a claim on the secret that no binding used. From this event on, the check
   * refuses bindings to the secret with this claim or an older one.
   */
  CheckSecretClaimClosed: {
    version: 1,
    data: Type.Object({ check_id: Type.String(), secret_id: Type.String(), claim: Type.Integer() }),
  },
  /** The first result of the check was a success. */
  CheckCameUp: { version: 1, data: Type.Object(verdict) },
  /** The check failed: after a success, or in its first result. */
  CheckWentDown: { version: 1, data: Type.Object({ ...verdict, error_message: nullable(Type.String()) }) },
  /** The check succeeded after a failure. */
  CheckRecovered: { version: 1, data: Type.Object(verdict) },
  /**
   * A run crashed its probe process, and the retry of the run crashed a second process. No run of the check starts
   * until the check is changed or released.
   */
  CheckParked: {
    version: 1,
    data: Type.Object({
      check_id: Type.String(),
      run_id: Type.String(),
      /** id of the region of the run */
      region: Type.String(),
      at: InstantSchema,
      /** how the process ended, such as `it was ended by SIGABRT` */
      cause: Type.String(),
    }),
  },
  /** An operator allowed the parked check to run again without a change of its settings. */
  CheckReleased: { version: 1, data: Type.Object({ check_id: Type.String() }) },
} as const satisfies EventDefinitions;

export type CheckEvent = EventsOf<typeof checkEvents>;
