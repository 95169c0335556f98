import type { DocsSample } from '../../../views/docs/model.ts';
import type { Call } from './call.ts';
import { curl } from './curl.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';

export type { Call } from './call.ts';

/**
 * Returns the code of a call in each language. The samples read the service's URL from the environment variable
 * `UPTRAIL`, an API key from `KEY`, and a session's access token from `TOKEN`.
 */
export const samplesOf = (call: Call): DocsSample[] => [
  { language: 'curl', code: curl(call) },
  { language: 'JavaScript', code: javascript(call) },
  { language: 'Python', code: python(call) },
];
