import { Type } from '@sinclair/typebox';
import { choice, commaList, instantIn } from '../../schema.ts';
import { regionName } from '../checks/schema.ts';

/** The filters that every request for results takes (decisions.md: Checks). */
export const resultFilters = {
  start_date: Type.Optional(instantIn({ description: 'what is earlier than results are kept means from there on' })),
  end_date: Type.Optional(instantIn({ end: true })),
  status: Type.Optional(commaList(choice(['ok', 'down', 'failed', 'error']))),
  region: Type.Optional(regionName),
  failed_only: Type.Optional(Type.Boolean({ description: 'only results that are not ok' })),
};
