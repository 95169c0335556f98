import type { IncidentDraft } from '../../../commands/pages/incident-drafts.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import type { RecipientCounts } from '../../../queries/pages/recipient-counts.ts';

/** Shows how a draft of an incident or of an update would appear if it were published now. */
export interface IncidentPreview {
  /** the page of the incident, without scripts */
  page: { html: string };
  /** The e-mail to subscribers. Null if subscribers would not be notified. */
  email: { subject: string; text: string; html: string } | null;
  /** The SMS to subscribers. Null if subscribers would not be notified. `segments` is the number of billed messages. */
  sms: { text: string; segments: number } | null;
  /** The feed entry of the update. Null if the page has no feeds. */
  feed: { title: string; summary: string; html: string } | null;
  recipients: RecipientCounts;
}

/** Renders a draft as page, messages and feed entry. @throws NotFound if the page or the incident does not exist */
export type PreviewIncident = (scope: Scope, draft: IncidentDraft) => Promise<IncidentPreview>;
