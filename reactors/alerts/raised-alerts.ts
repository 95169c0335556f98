import { regionOf } from '../../domain/check/regions.ts';
import { streamOf } from '../../domain/decider.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import type { RaisedAlertDocument } from '../../projections/alerts/documents.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { defineReactor } from '../engine/define.ts';
import { done, type ItemResult } from '../engine/item-result.ts';
import { changed } from '../engine/list-declarations.ts';

const RAISED_ALERTS = 'raised-alerts';

/**
 * Records in the results log which results fired alerts. Alerts are in the main log, but the read models of results
 * fold only the results log. Alerts from before the reactor was first active are recorded too.
 */
export const raisedAlerts = defineReactor({
  name: RAISED_ALERTS,
  does: 'records in the results log which results fired alerts',
  countsEarlier: true,
  list: changed(alerts, 'raised_alerts'),
  act: (item, { results: log, clock }) => recordAlertOnResults({ log, clock })(item),
});

interface RecordingDependencies {
  /** the results log */
  log: Pick<EventStore, 'append'>;
  /** Returns milliseconds since 1970. */
  clock: () => number;
}

/**
 * Records each result that fired an alert. A repetition is harmless: event ids derive from the alert and the result,
 * and read models ignore duplicates.
 */
export const recordAlertOnResults =
  ({ log, clock }: RecordingDependencies) =>
  async ({
    id: alert_id,
    organization_id,
    check_id,
    title,
    fired_at,
    results,
  }: RaisedAlertDocument): Promise<ItemResult> => {
    for (const { result_id, region } of results) {
      const data = { result_id, alert_id, title, organization_id, check_id, at: fired_at };
      const event = systemEvent(
        { type: 'ResultRaisedAlert', data },
        {
          id: derivedUuid(`${RAISED_ALERTS}/${alert_id}/${result_id}`),
          by: RAISED_ALERTS,
          organizationId: organization_id,
          now: instantOf(clock()),
        },
      );
      await log.append(streamOf('check_results', regionOf(region)?.aliases[0] ?? region), [event], 'any');
    }
    return done();
  };
