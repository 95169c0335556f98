import * as decide from '../../domain/alert/decide.ts';
import type { ResolvedBecause } from '../../domain/alert/events.ts';
import { alertIdOf, alertSeries } from '../../domain/alert/identity.ts';
import { alertDecider } from '../../domain/alert/state.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

type Needs = Pick<CommandDependencies, 'handle'>;

/**
 * Fires the nth alert of a rule. Does nothing if this alert has already fired, or if the stream of the previous alert
 * shows that the previous alert is not resolved. So a rule never has two active alerts, even if several processes
 * evaluate the rule.
 *
 * @returns whether this command (or an earlier one with the same id) fired the alert
 */
export const fireAlert =
  ({ handle }: Needs) =>
  async (firing: decide.AlertFiring, context: CommandContext): Promise<boolean> => {
    const { number } = firing;
    const previous =
      number === 1 ? null : await handle.load(alertIdOf(alertSeries(firing), number - 1), alertDecider, context);
    const { events } = await handle(
      decide.alertIdOfFiring(firing),
      alertDecider,
      (alert) => decide.fireAlert(alert, previous, firing, context.now),
      context,
    );
    return events.length > 0;
  };

/** Acknowledges an alert on behalf of the caller. @throws NotFound, IllegalState */
export const acknowledgeAlert =
  ({ handle }: Needs) =>
  async (alertId: string, context: CommandContext): Promise<void> => {
    const { actor, now } = context;
    await handle(alertId, alertDecider, (alert) => decide.acknowledgeAlert(alert, actor.id, now), context);
  };

/** Resolves an alert on behalf of the caller. @throws NotFound, IllegalState */
export const resolveAlert =
  ({ handle }: Needs) =>
  async (alertId: string, context: CommandContext): Promise<void> => {
    const { actor, now } = context;
    await handle(alertId, alertDecider, (alert) => decide.resolveAlert(alert, actor.id, now), context);
  };

/**
 * Resolves an alert automatically. Does nothing if the alert is not active.
 *
 * @returns whether this command (or an earlier one with the same id) resolved the alert
 */
export const resolveAlertBecause =
  ({ handle }: Needs) =>
  async (alertId: string, because: Exclude<ResolvedBecause, 'person'>, context: CommandContext): Promise<boolean> => {
    const { events } = await handle(
      alertId,
      alertDecider,
      (alert) => decide.resolveAlertBecause(alert, because, context.now),
      context,
    );
    return events.length > 0;
  };

/** Records that the condition of a manually resolved alert has ended. Does nothing for other alerts. */
export const endAlertCondition =
  ({ handle }: Needs) =>
  async (alertId: string, context: CommandContext): Promise<void> => {
    await handle(alertId, alertDecider, (alert) => decide.endCondition(alert, context.now), context);
  };

/** Records that an alert is no longer muted, so that its withheld message is sent. @throws NotFound */
export const endAlertMute =
  ({ handle }: Needs) =>
  async (alertId: string, context: CommandContext): Promise<void> => {
    await handle(alertId, alertDecider, (alert) => decide.endMute(alert, context.now), context);
  };
