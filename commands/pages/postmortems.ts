import { randomBytes } from 'node:crypto';
import {
  draftPostmortem as draft,
  publishPostmortem as publish,
  type DraftInput,
} from '../../domain/incident/postmortem.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { onPage } from './incidents.ts';

/** Bytes of a preview key, more than anybody can guess. */
const PREVIEW_KEY_BYTES = 24;

/** Writes, changes or discards the draft of an incident's postmortem. @throws NotFound, Invalid */
export const draftPostmortem =
  (dependencies: CommandDependencies) =>
  async (pageId: string, incidentId: string, input: DraftInput, context: CommandContext): Promise<void> => {
    const { organizationId } = context;
    const key = randomBytes(PREVIEW_KEY_BYTES).toString('base64url');
    const place = { organizationId, field: 'preview_key' };
    const made = {
      id: context.newId(),
      preview_key: await dependencies.keys.seal(`organization-${organizationId}`, key, place),
    };
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
