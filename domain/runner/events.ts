import { Type } from '@sinclair/typebox';
import { CheckTypeName } from '../check/events.ts';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const ids = { runner_id: Type.String() };

/** The SHA-256 of a token, hexadecimal. The token itself is not stored. */
const hash = { token_hash: Type.String() };

/** A process of a runner. `instance` distinguishes processes that use the same token. */
const instance = { ...ids, instance: Type.String() };

/** Events of a remote runner, in `runner-{runner_id}`. Runs and their results are in the results log. */
export const runnerEvents = {
  RunnerCreated: {
    version: 1,
    data: Type.Object({
      ...ids,
      name: Type.String(),
      /** id of the region whose checks the runner runs */
      region: Type.String(),
      /** whether the region is a private location of the runner's organization */
      private: Type.Boolean(),
      ...hash,
    }),
  },
  RunnerRenamed: {
    version: 1,
    data: Type.Object({ ...ids, name: Type.String(), previous: Type.Object({ name: Type.String() }) }),
  },
  /** The runner has a new token. Until the new token is confirmed, the previous token is accepted too. */
  RunnerTokenRotated: {
    version: 1,
    data: Type.Object({
      ...ids,
      ...hash,
      /** `until`: when the previous token becomes invalid, even if the new token was never used */
      former: Type.Object({ ...hash, until: InstantSchema }),
    }),
  },
  /** The new token was used, so the previous token is invalid from now on. */
  RunnerTokenConfirmed: { version: 1, data: Type.Object(ids) },
  RunnerConnected: {
    version: 1,
    data: Type.Object({
      ...instance,
      /** the version of the runner's program */
      release: Type.String(),
      /** the check types that the runner can run */
      types: Type.Array(CheckTypeName),
    }),
  },
  RunnerDisconnected: {
    version: 1,
    data: Type.Object({
      ...instance,
      /**
       * `stopped`: the runner announced that it would stop; `silent`: the runner stopped sending; `revoked`: the
       * service closed the connection
       */
      reason: Type.Union([Type.Literal('stopped'), Type.Literal('silent'), Type.Literal('revoked')]),
    }),
  },
  /** The tokens of the runner are invalid from now on. */
  RunnerRevoked: { version: 1, data: Type.Object(ids) },
  /** A revoked runner released its region, so that the built-in runner can serve it. */
  RunnerReleased: { version: 1, data: Type.Object(ids) },
} as const satisfies EventDefinitions;

export type RunnerEvent = EventsOf<typeof runnerEvents>;
