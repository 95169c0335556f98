import { Type } from '@sinclair/typebox';
import { choice, commaList, instantIn } from '../../schema.ts';
import { regionName } from '../checks/schema.ts';

/** Query parameters of all requests for results (docs/reference/results.md#filters-of-results). */
export const resultFilters = {
  start_date: Type.Optional(
    instantIn({ description: 'A time before the retention period of results means the start of that period.' }),
  ),
  end_date: Type.Optional(instantIn({ end: true })),
  status: Type.Optional(commaList(choice(['ok', 'down', 'failed', 'error']))),
  region: Type.Optional(regionName),
  failed_only: Type.Optional(Type.Boolean({ description: 'Only results whose status is not `ok`.' })),
};
