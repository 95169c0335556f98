import { fireAlert, resolveAlertBecause } from '../../commands/alerts/alerts.ts';
import { derivedUuid, reactorContext, type CommandContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { AlertFiring } from '../../domain/alert/decide.ts';
import { alertIdOf, SYSTEM_RULE } from '../../domain/alert/identity.ts';
import { alertDecider, isActive } from '../../domain/alert/state.ts';
import { instantOf } from '../../domain/time.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { suspectRunners, type SuspectRunnerDocument } from '../../projections/suspect-runners/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done, type ItemResult } from '../engine/item-result.ts';
import { changed } from '../engine/list-declarations.ts';

const OWN_OUTAGES = 'own-outages';

export interface OwnOutagesDependencies extends Pick<CommandDependencies, 'handle'> {
  /** Returns milliseconds since 1970. */
  clock: () => number;
  /** Id of the organization that owns the alerts about the service itself. */
  organizationId: string;
  /** Returns the runners that are cut off from their networks now. */
  suspects: () => Promise<readonly SuspectRunnerDocument[]>;
  /** Returns the highest number of an alert about the service itself in the read model; 0 if there is none. */
  lastNumber: () => Promise<number>;
}

/** One item at a time, because all runners that are cut off share a single alert. */
const AT_ONCE = 1;

/** Fires an alert to the operator while runners are cut off from their networks. All runners share one alert. */
export const ownOutages = defineReactor({
  name: OWN_OUTAGES,
  does: 'alerts the operator while runners are cut off from their networks',
  countsEarlier: false,
  list: changed(suspectRunners, 'suspect_runners', { atOnce: AT_ONCE }),
  act: (_, { handle, clock, operatorsOrganization: organizationId, read, sure }) =>
    notifyOperator({
      handle,
      clock,
      organizationId,
      suspects: () => read(suspectRunners).suspect_runners.find({ where: { suspect: true } }),
      // Read with certainty: if a missing document restarted the count at 0, ids of earlier alerts would be reused.
      lastNumber: async () => (await sure(alerts).alert_standings.get(SYSTEM_RULE))?.number ?? 0,
    })(),
});

export const notifyOperator =
  ({ handle, clock, organizationId, suspects, lastNumber }: OwnOutagesDependencies) =>
  async (): Promise<ItemResult> => {
    const load = (number: number) => handle.load(alertIdOf(SYSTEM_RULE, number), alertDecider, { organizationId });
    // The read model might lag, so look for later alerts in their streams.
    let number = await lastNumber();
    while ((await load(number + 1)).status !== 'absent') number += 1;
    const active = number > 0 && isActive(await load(number));
    const contextOf = (what: string, of: number): CommandContext =>
      reactorContext(OWN_OUTAGES, {
        organizationId,
        commandId: derivedUuid(`${OWN_OUTAGES}/${what}/${of}`),
        now: instantOf(clock()),
      });
    const cutOff = await suspects();
    if (cutOff.length > 0 && !active) {
      const firing = aboutOutage(cutOff, number + 1, organizationId);
      await fireAlert({ handle })(firing, contextOf('fired', number + 1));
    } else if (cutOff.length === 0 && active) {
      const id = alertIdOf(SYSTEM_RULE, number);
      await resolveAlertBecause({ handle })(id, 'condition', contextOf('resolved', number));
    }
    return done();
  };

const SILENT = 'Most of its anchors are silent.';

const aboutOutage = (
  cutOff: readonly SuspectRunnerDocument[],
  number: number,
  organization_id: string,
): AlertFiring => {
  const regions = [...new Set(cutOff.map(({ region }) => region))].sort();
  const since = cutOff.reduce((first, one) => (one.since < first ? one.since : first), cutOff[0]?.since ?? '');
  return {
    organization_id,
    number,
    rule_id: null,
    rule_name: 'Uptrail',
    check_id: null,
    check_name: null,
    check_type: null,
    severity: 'high',
    condition: null,
    condition_parameters: {},
    channel_ids: [],
    title: 'A runner is cut off from its network',
    description:
      `Most of RUNNER_ANCHORS are silent for runners of ${regions.join('; ')} since ${since.slice(0, 19)} UTC. ` +
      'Their failed results count for nothing: no status, no uptime and no alert rule.',
    trigger_results: [],
    regional_summary: regions.map((region) => ({
      region,
      holds: true,
      status: 'down',
      response_time: null,
      error_message: SILENT,
    })),
    alert_metadata: {},
  };
};
