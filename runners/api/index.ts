import { WebParameters } from '../../domain/check/types/web.ts';
import type { CheckType } from '../probe/check-type.ts';
import { WebMetadata } from '../web/metadata.ts';
import { runWeb } from '../web/run.ts';

/** Checks of type `api`: the spec asks of them what it asks of `web`, so they are run by the same code. */
export const api: CheckType = {
  type: 'api',
  parameters: WebParameters,
  metadata: WebMetadata,
  tools: [],
  run: runWeb,
};
