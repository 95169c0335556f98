import { Type } from '@sinclair/typebox';
import { servedRegions } from '../../../commands/checks/checks.ts';
import type { Commands } from '../../../commands/index.ts';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import type { UptimePeriod } from '../../../queries/check-results/uptime.ts';
import type { DetailOptions } from '../../../queries/checks/details.ts';
import type { May } from '../../permissions.ts';
import { choice, commaList, tagFilter, text } from '../../schema.ts';

/** Filters of every list of checks. */
export const checkFilters = {
  type: Type.Optional(commaList(choice(CHECK_TYPE_NAMES))),
  status: Type.Optional(commaList(choice(['pending', 'up', 'down']))),
  name: Type.Optional(text(100, { description: 'Part of the name. Case is ignored.' })),
  tag: Type.Optional(tagFilter),
};

/** Options for reading checks on behalf of a caller. */
export const checkDetailOptions = (
  { may, commands }: { may: May; commands: Commands },
  uptime: UptimePeriod | null = null,
): DetailOptions => ({ reveal: may('secrets.reveal'), served: commands.bind(servedRegions), uptime });
