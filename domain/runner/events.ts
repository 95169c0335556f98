import { Type } from '@sinclair/typebox';
import { CheckTypeName } from '../check/events.ts';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const ids = { runner_id: Type.String() };

/** SHA-256 of a token, hexadecimal; the token itself is stored nowhere */
const hash = { token_hash: Type.String() };

/** A process of a runner; two processes with one token differ in it. */
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
  /** It has a new token. Until that is confirmed, the token that the runner uses is accepted as well. */
  RunnerTokenRotated: {
    version: 1,
    data: Type.Object({
      ...ids,
      ...hash,
      /** `until`: from this moment on it is refused, even if the new token was never used */
      former: Type.Object({ ...hash, until: InstantSchema }),
    }),
  },
  /** The new token was used: the former one is void. */
  RunnerTokenConfirmed: { version: 1, data: Type.Object(ids) },
  RunnerConnected: {
    version: 1,
    data: Type.Object({
      ...instance,
      /** the version of its program */
      release: Type.String(),
      /** the types of checks that it can run */
      types: Type.Array(CheckTypeName),
    }),
  },
  RunnerDisconnected: {
    version: 1,
    data: Type.Object({
      ...instance,
      /** `stopped`: it said so; `silent`: nothing was heard of it; `revoked`: the service ended the connection */
      reason: Type.Union([Type.Literal('stopped'), Type.Literal('silent'), Type.Literal('revoked')]),
    }),
  },
  /** Its tokens are void. */
  RunnerRevoked: { version: 1, data: Type.Object(ids) },
  /** A revoked runner no longer keeps the built-in runner from its region. */
  RunnerReleased: { version: 1, data: Type.Object(ids) },
} as const satisfies EventDefinitions;

export type RunnerEvent = EventsOf<typeof runnerEvents>;
