import * as decide from '../../domain/incident-template/template.ts';
import type { IncidentTemplateFields } from '../../domain/incident-template/events.ts';
import { isExisting } from '../../domain/existence.ts';
import { pageDecider, type Page } from '../../domain/page/state.ts';
import type { CommandDependencies } from '../dependencies.ts';
import type { CommandContext } from '../engine/context.ts';
import { findOwn } from '../engine/organization-stream.ts';

/** Loads the page with this id. Returns null if the organization has no such page, or if there is no id. */
const pageOf = async (
  dependencies: Pick<CommandDependencies, 'handle'>,
  pageId: string | null | undefined,
  context: CommandContext,
): Promise<Page | null> => (pageId == null ? null : findOwn(dependencies, pageId, pageDecider, context));

/** Creates a template. @returns its id @throws Invalid */
export const createIncidentTemplate =
  ({ handle }: CommandDependencies) =>
  async (input: decide.NewIncidentTemplate, context: CommandContext): Promise<string> => {
    const id = context.newId();
    await handle(
      id,
      decide.incidentTemplateDecider,
      async (template) =>
        decide.createTemplate(
          template,
          id,
          context.organizationId,
          input,
          await pageOf({ handle }, input.page_id, context),
        ),
      context,
    );
    return id;
  };

/** Changes a template. Absent fields keep their value. @throws NotFound, Invalid */
export const updateIncidentTemplate =
  ({ handle }: CommandDependencies) =>
  async (templateId: string, input: Partial<IncidentTemplateFields>, context: CommandContext): Promise<void> => {
    await handle(
      templateId,
      decide.incidentTemplateDecider,
      async (template) => {
        const before = isExisting(template) ? await pageOf({ handle }, template.fields.page_id, context) : null;
        const after = input.page_id === undefined ? before : await pageOf({ handle }, input.page_id, context);
        return decide.updateTemplate(template, input, { before, after });
      },
      context,
    );
  };

/** Deletes a template. Incidents that were created from the template are not deleted. @throws NotFound */
export const deleteIncidentTemplate =
  ({ handle }: CommandDependencies) =>
  async (templateId: string, context: CommandContext): Promise<void> => {
    await handle(templateId, decide.incidentTemplateDecider, decide.deleteTemplate, context);
  };
