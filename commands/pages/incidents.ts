import * as decide from '../../domain/incident/decide.ts';
import type { IncidentEvent } from '../../domain/incident/events.ts';
import * as open from '../../domain/incident/open.ts';
import * as past from '../../domain/incident/past.ts';
import { incidentDecider, type Incident } from '../../domain/incident/state.ts';
import { componentsNamedBy } from '../../domain/incident/facts.ts';
import { isExisting } from '../../domain/existence.ts';
import * as updates from '../../domain/incident/updates.ts';
import { pageDecider, type Page } from '../../domain/page/state.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { afterStatuses } from './component-status-times.ts';

/** Decides on the events of an incident, with the state of the incident and the state of its page. */
export const onPage = async (
  { handle }: CommandDependencies,
  pageId: string,
  incidentId: string,
  decision: (incident: Incident, page: Page) => IncidentEvent | readonly IncidentEvent[],
  context: CommandContext,
): Promise<void> => {
  const decideWithPage = async (incident: Incident) =>
    decision(incident, await handle.load(pageId, pageDecider, context));
  await handle(incidentId, incidentDecider, decideWithPage, context);
};

/**
 * Calls {@link afterStatuses} with the components of an incident and the components that a change adds to the incident.
 */
const afterStatusesOf = async (
  dependencies: CommandDependencies,
  pageId: string,
  incidentId: string,
  named: object | undefined,
  context: CommandContext,
): Promise<CommandContext> => {
  const incident = await dependencies.handle.load(incidentId, incidentDecider, context);
  const before = isExisting(incident) ? componentsNamedBy(incident.facts) : [];
  return afterStatuses(dependencies, pageId, [...before, ...Object.keys(named ?? {})], context);
};

/**
 * Opens an incident on a page, or schedules a maintenance if `scheduled_for` is set.
 *
 * @returns the incident's id
 * @throws NotFound, Invalid
 */
export const openIncident =
  (dependencies: CommandDependencies) =>
  async (pageId: string, input: open.NewIncident, context: CommandContext): Promise<string> => {
    const ids = { incident: context.newId(), update: context.newId() };
    const after = await afterStatuses(dependencies, pageId, Object.keys(input.components), context);
    const decision = (incident: Incident, page: Page) => open.openIncident(incident, page, ids, input, after.now);
    await onPage(dependencies, pageId, ids.incident, decision, after);
    return ids.incident;
  };

/** The body of a request that logs a past incident. The command assigns the ids of the updates. */
export type NewPastIncident = Omit<past.PastIncident, 'incident_updates'> & {
  incident_updates: readonly Omit<past.PastUpdate, 'id'>[];
};

/** Logs a past incident. @returns its id @throws NotFound, Invalid */
export const logPastIncident =
  (dependencies: CommandDependencies) =>
  async (pageId: string, input: NewPastIncident, context: CommandContext): Promise<string> => {
    const id = context.newId();
    const withIds = {
      ...input,
      incident_updates: input.incident_updates.map((update) => ({ ...update, id: context.newId() })),
    };
    const decision = (incident: Incident, page: Page) => past.logPastIncident(incident, page, id, withIds, context.now);
    await onPage(dependencies, pageId, id, decision, context);
    return id;
  };

/**
 * Changes an incident. Absent fields keep their value. An update is appended if the command changes a field that
 * visitors see.
 *
 * @throws NotFound, Invalid, IllegalState
 */
export const changeIncident =
  (dependencies: CommandDependencies) =>
  async (pageId: string, incidentId: string, input: decide.IncidentInput, context: CommandContext): Promise<void> => {
    const updateId = context.newId();
    const after = await afterStatusesOf(dependencies, pageId, incidentId, input.components, context);
    const decision = (incident: Incident, page: Page) =>
      decide.changeIncident(incident, page, updateId, input, after.now);
    await onPage(dependencies, pageId, incidentId, decision, after);
  };

/** Deletes an incident, and undoes its effect on uptime and components. @throws NotFound */
export const deleteIncident =
  (dependencies: CommandDependencies) =>
  async (pageId: string, incidentId: string, context: CommandContext): Promise<void> => {
    const decision = (incident: Incident, page: Page) => decide.deleteIncident(incident, page, context.now);
    await onPage(dependencies, pageId, incidentId, decision, context);
  };

/** Appends an update. @returns its id @throws NotFound, Invalid, IllegalState */
export const appendUpdate =
  (dependencies: CommandDependencies) =>
  async (pageId: string, incidentId: string, input: decide.NewUpdate, context: CommandContext): Promise<string> => {
    const updateId = context.newId();
    const after = await afterStatusesOf(dependencies, pageId, incidentId, input.components, context);
    const decision = (incident: Incident, page: Page) =>
      decide.appendUpdate(incident, page, updateId, input, after.now);
    await onPage(dependencies, pageId, incidentId, decision, after);
    return updateId;
  };

/** Edits an update retroactively. @throws NotFound, Invalid */
export const editUpdate =
  (dependencies: CommandDependencies) =>
  async (
    pageId: string,
    incidentId: string,
    updateId: string,
    input: updates.UpdateEdit,
    context: CommandContext,
  ): Promise<void> => {
    const decision = (incident: Incident, page: Page) =>
      updates.editUpdate(incident, page, updateId, input, context.now);
    await onPage(dependencies, pageId, incidentId, decision, context);
  };

/** Hides the texts of an update from visitors, even if the update was already removed. @throws NotFound */
export const withholdUpdateText =
  (dependencies: CommandDependencies) =>
  async (pageId: string, incidentId: string, updateId: string, context: CommandContext): Promise<void> => {
    const decision = (incident: Incident, page: Page) => updates.withholdText(incident, page, updateId, context.now);
    await onPage(dependencies, pageId, incidentId, decision, context);
  };

/** Removes an update and undoes its effect. @throws NotFound, IllegalState */
export const removeUpdate =
  (dependencies: CommandDependencies) =>
  async (pageId: string, incidentId: string, updateId: string, context: CommandContext): Promise<void> => {
    const decision = (incident: Incident, page: Page) => updates.removeUpdate(incident, page, updateId, context.now);
    await onPage(dependencies, pageId, incidentId, decision, context);
  };
