import type { Schemas } from '../../api/openapi.d.ts';
import type { LiveSource } from '../../live/live-data.ts';
import { call } from '../../session/call.ts';

export type Runner = Schemas['Runner'];

/** All runners that the user is allowed to see, including revoked ones. */
export const RUNNERS: LiveSource<readonly Runner[]> = {
  load: async (signal) => (await call('GET /v1/runners', {}, { signal })).runners,
  resources: ['runner'],
  merge: () => null,
};
