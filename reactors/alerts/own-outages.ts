import { fireAlert, resolveAlertBecause } from '../../commands/alerts/alerts.ts';
import { derivedUuid, reactorContext, type CommandContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { Firing } from '../../domain/alert/decide.ts';
import { alertIdOf, SYSTEM_RULE } from '../../domain/alert/identity.ts';
import { alertDecider, isActive } from '../../domain/alert/state.ts';
import { instantOf } from '../../domain/time.ts';
import type { SuspectRunnerDocument } from '../../projections/suspect-runners/projection.ts';
import { changeWork } from '../engine/changes.ts';
import { done, type Ending } from '../engine/ending.ts';
import type { ChangeList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const OWN_OUTAGES = 'own-outages';

export interface OwnOutagesDependencies extends Pick<CommandDependencies, 'handle'> {
  /** milliseconds since 1970 */
  clock: () => number;
  /** the organization that the operator's alerts belong to */
  organizationId: string;
  list: ChangeList<SuspectRunnerDocument>;
  /** the runners that are cut off now */
  suspects: () => Promise<readonly SuspectRunnerDocument[]>;
  /** a number that an alert of the service has, as high as is known; 0: none is known */
  lastNumber: () => Promise<number>;
  todo: TodoProjection;
}

/** One at a time: there is one alert, however many runners are cut off. */
const AT_ONCE = 1;

/** Tells the operator, by one alert of the service itself, that runners are cut off from their networks. */
export const ownOutagesReactor = ({ list, todo, ...dependencies }: OwnOutagesDependencies): Reactor => ({
  name: OWN_OUTAGES,
  countsEarlier: false,
  todo,
  work: changeWork(OWN_OUTAGES, todo, list, tellOperator(dependencies), { atOnce: AT_ONCE }),
});

export const tellOperator =
  ({ handle, clock, organizationId, suspects, lastNumber }: Omit<OwnOutagesDependencies, 'list' | 'todo'>) =>
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
