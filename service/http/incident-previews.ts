import type { IncidentPreview, PreviewIncident } from '../../api/v1/incidents/preview.ts';
import { presentIncident } from '../../api/v1/incidents/present.ts';
import type { PublicAddressSettings } from '../../domain/page/public-address.ts';
import { unsubscribePath } from '../../domain/subscriber/links.ts';
import { SUBSCRIBER_MODES, type SubscriberMode } from '../../domain/subscriber/events.ts';
import { composeSms } from '../../messages/sms/compose.ts';
import { partsOf } from '../../messages/sms/parts.ts';
import { components } from '../../projections/components/projection.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import { mailings } from '../../projections/mailings/projection.ts';
import { readDrafted } from '../../projections/engine/draft.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import { ReadModelBehind, ReadModelLate } from '../../projections/readers.ts';
import { findPage } from '../../queries/pages/pages.ts';
import { countRecipients, NO_RECIPIENTS } from '../../queries/pages/recipient-counts.ts';
import type { Scope } from '../../queries/engine/scope.ts';
import { readMailingContent, type MailingContent } from '../../reactors/mailings/content.ts';
import { previewEntry, previewPage } from '../../site/pages/incidents/preview.ts';
import { createTextRenderer } from '../threads/mail-texts.ts';

/** The projections whose documents are used to render pages, messages and feeds about an incident. */
const FOLDED: readonly AnyProjection[] = [incidents, components, mailings];

export interface IncidentPreviewOptions {
  readers: Pick<Readers, 'waitFor'>;
  /** public addresses of the service */
  places: PublicAddressSettings;
  /** the ways in which this service can send messages to subscribers; default: all */
  sentModes?: ReadonlySet<SubscriberMode>;
}

/**
 * Creates the function that shows drafts of incidents as they would be published. The code that renders pages, messages
 * and feeds reads the documents that the read models would contain after the events of the draft.
 */
export const createIncidentPreviews = ({
  readers,
  places,
  sentModes = new Set(SUBSCRIBER_MODES),
}: IncidentPreviewOptions): PreviewIncident => {
  const renderTexts = createTextRenderer();

  /**
   * Waits until the read models have processed every event of the incident.
   *
   * @throws ReadModelBehind
   */
  const caughtUp = async (scope: Scope, incidentId: string): Promise<void> => {
    const incident = await scope.read(incidents).incidents.get(incidentId);
    if (!incident) return;
    const context = { appended: new Map([['main', BigInt(incident.changed_position)]]) };
    const passed = async ({ name }: AnyProjection): Promise<void> => {
      try {
        await readers.waitFor([name], context);
      } catch (error) {
        // A preview stores nothing, so a late read model is an error of reading, not of writing.
        throw error instanceof ReadModelLate ? new ReadModelBehind(name) : error;
      }
    };
    await Promise.all(FOLDED.map(passed));
  };

  return async (scope, { page_id, incident_id: incidentId, events }): Promise<IncidentPreview> => {
    await caughtUp(scope, incidentId);
    const read = await readDrafted(scope.read, FOLDED, events);
    const drafted: Scope = { ...scope, read };
    const page = await findPage(drafted, page_id);
    const previewed = { scope: drafted, page, incidentId, places, sentModes };
    const [mailing] = await read(mailings).mailings.getMany(events.map(({ id }) => id));
    const content =
      mailing &&
      (await readMailingContent(mailing, {
        readAfter: () => read,
        keys: scope.keys,
        shownIncident: presentIncident,
        renderTexts,
      }));
    const [html, entry, recipients] = await Promise.all([
      previewPage(previewed),
      previewEntry(previewed),
      content ? countRecipients(drafted, content.notification) : NO_RECIPIENTS,
    ]);
    return {
      page: { html },
      ...(content ? await messagesOf(content, places) : { email: null, sms: null }),
      feed: entry && { title: entry.title, summary: entry.summary, html: entry.html },
      recipients,
    };
  };
};

const messagesOf = async (
  { notice, mail }: MailingContent,
  { publicUrl }: PublicAddressSettings,
): Promise<Pick<IncidentPreview, 'email' | 'sms'>> => {
  const unsubscribe_url = publicUrl === null ? null : `${publicUrl}${await samplePath()}`;
  const { subject, text, html } = await mail(unsubscribe_url);
  const sms = composeSms({ ...notice, unsubscribe_url });
  return { email: { subject, text, html }, sms: { text: sms, segments: partsOf(sms) } };
};

/**
 * Returns an unsubscribe path for a preview. The path is as long as a real path, but the signature in it is invalid, so
 * the path opens nothing.
 */
const samplePath = (): Promise<string> =>
  unsubscribePath({ id: '0'.repeat(12), organization_id: '0'.repeat(12), number: 1 }, () =>
    Promise.resolve('0'.repeat(43)),
  );
