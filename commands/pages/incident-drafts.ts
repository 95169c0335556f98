import type { NewUpdate } from '../../domain/incident/decide.ts';
import type { NewIncident } from '../../domain/incident/open.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { CommandContext } from '../engine/context.ts';
import { dryRunWith } from '../engine/dry-run.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { appendUpdate, openIncident } from './incidents.ts';

/** The events that a command would append to an incident. */
export interface IncidentDraft {
  page_id: string;
  incident_id: string;
  events: readonly RecordedEvent[];
}

/** Performs a dry run of {@link openIncident}, with the same errors. */
export const draftIncident =
  (dependencies: CommandDependencies) =>
  async (page_id: string, input: NewIncident, context: CommandContext): Promise<IncidentDraft> => {
    const { handle, drafted } = dryRunWith(dependencies.handle);
    const incident_id = await openIncident({ ...dependencies, handle })(page_id, input, context);
    return { page_id, incident_id, events: drafted };
  };

/** Performs a dry run of {@link appendUpdate}, with the same errors. */
export const draftUpdate =
  (dependencies: CommandDependencies) =>
  async (page_id: string, incident_id: string, input: NewUpdate, context: CommandContext): Promise<IncidentDraft> => {
    const { handle, drafted } = dryRunWith(dependencies.handle);
    await appendUpdate({ ...dependencies, handle })(page_id, incident_id, input, context);
    return { page_id, incident_id, events: drafted };
  };
