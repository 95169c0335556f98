import { fireAlert, resolveAlertBecause } from '../../commands/alerts/alerts.ts';
import { derivedUuid, reactorContext, type CommandContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { Firing } from '../../domain/alert/decide.ts';
import { alertIdOf, SYSTEM_RULE } from '../../domain/alert/identity.ts';
import { alertDecider, isActive } from '../../domain/alert/state.ts';
import { instantOf } from '../../domain/time.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { suspectRunners, type SuspectRunnerDocument } from '../../projections/suspect-runners/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done, type Ending } from '../engine/ending.ts';
import { changed } from '../engine/on-lists.ts';

const OWN_OUTAGES = 'own-outages';

export interface OwnOutagesDependencies extends Pick<CommandDependencies, 'handle'> {
  /** milliseconds since 1970 */
  clock: () => number;
  /** the organization that the operator's alerts belong to */
  organizationId: string;
  /** the runners that are cut off now */
  suspects: () => Promise<readonly SuspectRunnerDocument[]>;
  /** a number that an alert of the service has, as high as is known; 0: none is known */
  lastNumber: () => Promise<number>;
}

/** One at a time: there is one alert, however many runners are cut off. */
const AT_ONCE = 1;

/** Tells the operator, by one alert of the service itself, that runners are cut off from their networks. */
export const ownOutages = defineReactor({
  name: OWN_OUTAGES,
  does: 'alerts the operator while runners are cut off from their networks',
  countsEarlier: false,
  list: changed(suspectRunners, 'suspect_runners', { atOnce: AT_ONCE }),
  act: (_, { handle, clock, operatorsOrganization: organizationId, read, sure }) =>
    tellOperator({
      handle,
      clock,
      organizationId,
      suspects: () => read(suspectRunners).suspect_runners.find({ where: { suspect: true } }),
      // Counted from 0 again, its alerts would have the ids of earlier ones.
      lastNumber: async () => (await sure(alerts).alert_standings.get(SYSTEM_RULE))?.number ?? 0,
    })(),
});

export const tellOperator =
  ({ handle, clock, organizationId, suspects, lastNumber }: OwnOutagesDependencies) =>
  async (): Promise<Ending> => {
    const load = (number: number) => handle.load(alertIdOf(SYSTEM_RULE, number), alertDecider, { organizationId });
    // The read model may be behind; the streams are not.
    let number = await lastNumber();
    while ((await load(number + 1)).status !== 'absent') number += 1;
    const active = number > 0 && isActive(await load(number));
    const contextOf = (what: string, of: number): CommandContext =>
      reactorContext(OWN_OUTAGES, {
        organizationId,
        commandId: derivedUuid(`${OWN_OUTAGES}/${what}/${of.toString()}`),
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

const aboutOutage = (cutOff: readonly SuspectRunnerDocument[], number: number, organization_id: string): Firing => {
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
