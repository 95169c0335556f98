import type { Schemas } from '../../api/openapi.d.ts';
import type { LiveSource } from '../../live/live-data.ts';
import { allSecrets } from '../check-form/choices.ts';

/** All secrets, sorted by name. */
export const SECRETS: LiveSource<readonly Schemas['Secret'][]> = {
  load: async (signal) =>
    (await allSecrets(signal)).sort((one, other) => one.secret_name.localeCompare(other.secret_name)),
  resources: ['secret'],
  merge: () => null,
};
