import type { IncidentDraft } from '../../../commands/pages/incident-drafts.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import type { RecipientCounts } from '../../../queries/pages/recipient-counts.ts';

/** How a draft of an incident or of an update would appear if it were published now. */
export interface IncidentPreview {
  /** the page of the incident, without scripts */
  page: { html: string };
  /** null: subscribers are not notified */
  email: { subject: string; text: string; html: string } | null;
  /** null: subscribers are not notified; `segments`: number of billed messages */
  sms: { text: string; segments: number } | null;
  /** the feed entry of the update; null: the page has no feeds */
  feed: { title: string; summary: string; html: string } | null;
  recipients: RecipientCounts;
}

/** Renders a draft with the renderers of pages, messages and feeds. @throws NotFound the page or the incident */
export type PreviewIncident = (scope: Scope, draft: IncidentDraft) => Promise<IncidentPreview>;
