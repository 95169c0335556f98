import { repeatReport } from '../../commands/reports.ts';
import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import { MAX_RUN_INTERVAL_MS } from '../../domain/report/scheduled-periods.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { reports } from '../../projections/reports/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { retryItemAt, done } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';

export const REPORT_SCHEDULES = 'report-schedules';

/**
 * Maximum number of concurrent items. Many reports are due at the same midnight, and concurrent commands are committed
 * together.
 */
const AT_ONCE = 16;
/** Delay before the next attempt if no period of a schedule has ended: the clock was set back, or the list lags. */
const A_WHILE_MS = 60_000;

/**
 * Requests the report of a schedule when a week or a month has ended. If several periods ended while the service was
 * down, requests a single report, on the newest of them.
 */
export const reportSchedules = defineReactor({
  name: REPORT_SCHEDULES,
  does: 'requests the reports of schedules when a week or a month has ended',
  countsEarlier: true,
  list: due(reports, 'report_turns', { longest: MAX_RUN_INTERVAL_MS, atOnce: AT_ONCE }),
  act: async ({ id, organization_id: organizationId, changed_position }, { handle, now, appended }) => {
    const commandId = derivedUuid(`${REPORT_SCHEDULES}/${id}/${changed_position}`);
    const context = reactorContext(REPORT_SCHEDULES, { organizationId, commandId, now, appended });
    const repeated = await repeatReport({ handle })(id, context);
    return repeated ? done() : retryItemAt(millisecondsOf(now) + A_WHILE_MS);
  },
});
