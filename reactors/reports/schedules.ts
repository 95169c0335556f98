import { repeatReport } from '../../commands/reports.ts';
import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import { MAX_RUN_INTERVAL_MS } from '../../domain/report/scheduled-periods.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { reports } from '../../projections/reports/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { retryItemAt, done } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';

export const REPORT_SCHEDULES = 'report-schedules';

/** Many start at the same midnight, and their commands share commits. */
const AT_ONCE = 16;
/** Retry delay for a schedule without a new period, because the clock was set back or the list lags. */
const A_WHILE_MS = 60_000;

/**
 * Requests the reports of schedules when a week or a month has ended. Periods missed while the service was down are
 * covered by one report, on the last of them.
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
