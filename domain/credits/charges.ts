import type { CheckTypeName } from '../check/events.ts';
import { regionCountOf } from '../check/parallel.ts';

/** What a run costs in each region (spec.md: Limits, Credits; decisions.md: Checks). */
export const CREDITS: Readonly<Record<CheckTypeName, number>> = {
  icmp: 1,
  tcp: 1,
  dns: 1,
  web: 1,
  api: 1,
  ssl: 2,
  portscan: 10,
  multistep: 5,
  synthetic: 10,
};

/** What a run of a definition costs, in all the regions that it goes to. */
export const costOf = ({ type, parameters }: { type: CheckTypeName; parameters: Record<string, unknown> }): number =>
  CREDITS[type] * regionCountOf(parameters);
