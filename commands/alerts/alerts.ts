import * as decide from '../../domain/alert/decide.ts';
import type { ResolvedBecause } from '../../domain/alert/events.ts';
import { alertIdOf, alertSeries } from '../../domain/alert/identity.ts';
import { alertDecider } from '../../domain/alert/state.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

type Needs = Pick<CommandDependencies, 'handle'>;

/**
 * Lets the nth alert of a rule fire. Nothing happens if it has fired before, or if the alert before it, read in its own
 * stream, is not resolved: so a rule never has two active alerts, whoever judges it.
 *
 * @returns whether it was this command (or an earlier one with the same id) that let it fire
 */
export const fireAlert =
  ({ handle }: Needs) =>
  async (firing: decide.Firing, context: CommandContext): Promise<boolean> => {
    const { number } = firing;
    const previous =
      number === 1 ? null : await handle.load(alertIdOf(alertSeries(firing), number - 1), alertDecider, context);
    const { events } = await handle(
      decide.idOfFiring(firing),
      alertDecider,
      (alert) => decide.fireAlert(alert, previous, firing, context.now),
      context,
    );
    return events.length > 0;
  };

/** Records that the caller looks after an alert. @throws NotFound, IllegalState */
export const acknowledgeAlert =
  ({ handle }: Needs) =>
  async (alertId: string, context: CommandContext): Promise<void> => {
    const { actor, now } = context;
    await handle(alertId, alertDecider, (alert) => decide.acknowledgeAlert(alert, actor.id, now), context);
  };

/** Closes an alert on the caller's request. @throws NotFound, IllegalState */
export const resolveAlert =
  ({ handle }: Needs) =>
  async (alertId: string, context: CommandContext): Promise<void> => {
    const { actor, now } = context;
    await handle(alertId, alertDecider, (alert) => decide.resolveAlert(alert, actor.id, now), context);
  };

/**
 * Closes an alert by itself; one that is not active stays as it is.
 *
 * @returns whether it was this command (or an earlier one with the same id) that closed it
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

/** Records that the condition of an alert that a person had resolved has ended; nothing happens to any other alert. */
export const endAlertCondition =
  ({ handle }: Needs) =>
  async (alertId: string, context: CommandContext): Promise<void> => {
    await handle(alertId, alertDecider, (alert) => decide.endCondition(alert, context.now), context);
  };

/** Records that an alert is no longer muted, which releases the message that was held back. @throws NotFound */
export const endAlertMute =
  ({ handle }: Needs) =>
  async (alertId: string, context: CommandContext): Promise<void> => {
    await handle(alertId, alertDecider, (alert) => decide.endMute(alert, context.now), context);
  };
