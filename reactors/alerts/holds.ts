import type { Appended, Noted } from '../../commands/engine/appended.ts';
import { holdComponent, releaseComponent } from '../../commands/pages/components.ts';
import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { IllegalState, NotFound } from '../../domain/errors.ts';
import { worstStatus, type ComponentStatus } from '../../domain/page/component-status.ts';
import { instantOf } from '../../domain/time.ts';
import type { AlertHoldsDocument } from '../../projections/alert-holds/projection.ts';
import { changeWork } from '../engine/changes.ts';
import { done, type Ending } from '../engine/ending.ts';
import type { ChangeList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const ALERT_HOLDS = 'alert-holds';

/** A component that a channel shows alerts on. */
export interface ShownOn {
  page_id: string;
  component_id: string;
  component_status: ComponentStatus;
}

export interface AlertHoldsDependencies extends Pick<CommandDependencies, 'handle'> {
  /** milliseconds since 1970 */
  clock: () => number;
  list: ChangeList<AlertHoldsDocument>;
  /** An alert as it is now, with everything that was appended in the context. */
  now: (id: string, context: { appended: Noted }) => Promise<AlertHoldsDocument | null>;
  /**
   * What the channels of type `statuspage` of an alert are set to, those that are there and enabled, as of the event
   * that made the alert what it is, or later.
   */
  shownOn: (
    alert: Pick<AlertHoldsDocument, 'organization_id' | 'channel_ids' | 'changed_position'>,
  ) => Promise<readonly ShownOn[]>;
  todo: TodoProjection;
}

/**
 * Holds the components of an alert's `statuspage` channels while it is active, and lets go of them when it is resolved
 * (docs/decisions.md: Alerts on pages). Only what an alert is now decides, so one that was resolved before its
 * components were held never holds them.
 */
export const alertHoldsReactor = ({ list, todo, ...dependencies }: AlertHoldsDependencies): Reactor => ({
  name: ALERT_HOLDS,
  countsEarlier: true,
  todo,
  work: changeWork(ALERT_HOLDS, todo, list, hold(dependencies)),
});

const hold =
  ({ handle, clock, now, shownOn }: Omit<AlertHoldsDependencies, 'list' | 'todo'>) =>
  async ({ id: holder }: Pick<AlertHoldsDocument, 'id'>): Promise<Ending> => {
    const appended: Appended = new Map();
    const alert = await now(holder, { appended });
    if (!alert) return done();
    const { organization_id: organizationId, resolved_at } = alert;
    const contextOf = (what: string, componentId: string) =>
      reactorContext(ALERT_HOLDS, {
        organizationId,
        correlationId: holder,
        commandId: derivedUuid(`${ALERT_HOLDS}/${holder}/${what}/${componentId}`),
        now: instantOf(clock()),
        appended,
      });
    if (resolved_at !== null) {
      for (const { page_id, component_id, released_at } of alert.holds) {
        if (released_at !== null) continue;
        await releaseComponent({ handle })({ page_id, component_id, holder }, contextOf('release', component_id));
      }
      return done();
    }
    for (const { page_id, component_id, component_status: status } of worstOfEach(await shownOn(alert))) {
      const holding = { page_id, component_id, holder, status };
      await holdComponent({ handle })(holding, contextOf('hold', component_id)).catch(unlessGone);
    }
    // Whoever looks at this alert next, for its release, has to find what it holds.
    await now(holder, { appended });
    return done();
  };

/** A page or a component that is gone shows nothing any more; the alert's notifications say so. */
const unlessGone = (error: unknown): void => {
  if (!(error instanceof NotFound || error instanceof IllegalState)) throw error;
};

/** Where several channels show one component, the worst of their statuses counts. */
const worstOfEach = (all: readonly ShownOn[]): ShownOn[] => {
  const found = new Map<string, ShownOn>();
  for (const one of all) {
    const before = found.get(one.component_id);
    const component_status = worstStatus([one.component_status, ...(before ? [before.component_status] : [])]);
    found.set(one.component_id, { ...one, component_status });
  }
  return [...found.values()];
};
