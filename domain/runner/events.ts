import { Type } from '@sinclair/typebox';
import { CheckTypeName } from '../check/events.ts';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const ids = { runner_id: Type.String() };

/** SHA-256 of a token, hexadecimal; the token itself is not stored */
const hash = { token_hash: Type.String() };

/** A process of a runner; `instance` distinguishes processes with the same token. */
const instance = { ...ids, instance: Type.String() };

/** Events of a remote runner, in `runner-{runner_id}`. Runs and their results are in the results log. */
export const runnerEvents = {
  RunnerCreated: {
    version: 1,
    data: Type.Object({
      ...ids,
      name: Type.String(),
      /** id of the region that it runs checks from */
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
  /** It has a new token. Until that is confirmed, the previous token is accepted too. */
  RunnerTokenRotated: {
    version: 1,
    data: Type.Object({
      ...ids,
      ...hash,
      /** `until`: when it becomes invalid, even if the new token was never used */
      former: Type.Object({ ...hash, until: InstantSchema }),
    }),
  },
  /** The new token was used: the previous one is invalid. */
  RunnerTokenConfirmed: { version: 1, data: Type.Object(ids) },
  RunnerConnected: {
    version: 1,
    data: Type.Object({
      ...instance,
      /** the version of its program */
      release: Type.String(),
      /** the check types that it can run */
      types: Type.Array(CheckTypeName),
    }),
  },
  RunnerDisconnected: {
    version: 1,
    data: Type.Object({
      ...instance,
      /** `stopped`: it announced its end; `silent`: it stopped sending; `revoked`: the service closed the connection */
      reason: Type.Union([Type.Literal('stopped'), Type.Literal('silent'), Type.Literal('revoked')]),
    }),
  },
  /** Its tokens are invalid. */
  RunnerRevoked: { version: 1, data: Type.Object(ids) },
  /** A revoked runner no longer reserves its region against the built-in runner. */
  RunnerReleased: { version: 1, data: Type.Object(ids) },
} as const satisfies EventDefinitions;

export type RunnerEvent = EventsOf<typeof runnerEvents>;
