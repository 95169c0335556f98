import { randomBytes } from 'node:crypto';
import {
  draftPostmortem as draft,
  publishPostmortem as publish,
  unpublishPostmortem as unpublish,
  type DraftInput,
} from '../../domain/incident/postmortem.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { onPage } from './incidents.ts';

/** Number of random bytes in a preview key. */
const PREVIEW_KEY_BYTES = 24;

/** Creates and seals a preview key. */
const newPreviewKey = ({ keys }: CommandDependencies, { organizationId }: CommandContext): Promise<Sealed> =>
  keys.seal(`organization-${organizationId}`, randomBytes(PREVIEW_KEY_BYTES).toString('base64url'), {
    organizationId,
    field: 'preview_key',
  });

/** Creates, changes or discards the draft of an incident's postmortem. @throws NotFound, Invalid */
export const draftPostmortem =
  (dependencies: CommandDependencies) =>
  async (pageId: string, incidentId: string, input: DraftInput, context: CommandContext): Promise<void> => {
    const made = { id: context.newId(), preview_key: await newPreviewKey(dependencies, context) };
    await onPage(
      dependencies,
      pageId,
      incidentId,
      (incident, page) => draft(incident, page, made, input, context.now),
      context,
    );
  };

/** Publishes the draft of an incident's postmortem. @throws NotFound, IllegalState */
export const publishPostmortem =
  (dependencies: CommandDependencies) =>
  async (
    pageId: string,
    incidentId: string,
    input: Pick<DraftInput, 'notify_subscribers'>,
    context: CommandContext,
  ): Promise<void> => {
    await onPage(
      dependencies,
      pageId,
      incidentId,
      (incident, page) => publish(incident, page, input, context.now),
      context,
    );
  };

/** Unpublishes a postmortem. @throws NotFound, IllegalState */
export const unpublishPostmortem =
  (dependencies: CommandDependencies) =>
  async (pageId: string, incidentId: string, context: CommandContext): Promise<void> => {
    const made = { preview_key: await newPreviewKey(dependencies, context) };
    await onPage(
      dependencies,
      pageId,
      incidentId,
      (incident, page) => unpublish(incident, page, made, context.now),
      context,
    );
  };
