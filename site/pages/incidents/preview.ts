import { NotFound } from '../../../domain/errors.ts';
import { publicAddress, type PublicAddressSettings } from '../../../domain/page/public-address.ts';
import { isOpenToEveryone } from '../../../domain/page/access.ts';
import type { SubscriberMode } from '../../../domain/subscriber/events.ts';
import { pageWordsFor } from '../../../messages/page-words/index.ts';
import { pageLanguage } from '../../../messages/words/languages.ts';
import { wordsFor } from '../../../messages/words/index.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { findIncident } from '../../../queries/pages/incidents.ts';
import { componentsForVisitors } from '../../../queries/pages/visible-components.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { pageHtml } from '../../../views/document.tsx';
import { IncidentPage } from '../../../views/status/incident-page.tsx';
import { feedChangesOf, feedWordingOf } from '../feeds/incident-changes.ts';
import { updateEntries, type FeedEntry } from '../feeds/entries.ts';
import { createFrameFactory } from '../html-page.ts';
import { incidentPageView } from './incident-page-view.ts';

/** The incident that a preview shows. The preview is in the page's language, and looks the same as for visitors. */
export interface PreviewedIncident {
  scope: Scope;
  page: PageDocument;
  incidentId: string;
  places: PublicAddressSettings;
  sentModes: ReadonlySet<SubscriberMode>;
}

/** Returns the page of an incident, without scripts. Its URLs are absolute if the service knows its own URL. */
export const previewPage = async ({
  scope,
  page,
  incidentId,
  places,
  sentModes,
}: PreviewedIncident): Promise<string> => {
  const { kind } = await findIncident(scope, { page_id: page.id, incident_id: incidentId });
  const address = publicAddress(page, places);
  const choices = { language: pageLanguage(page.language), zone: 'page', theme: 'auto' } as const;
  const visit = { scope, page, choices, root: `${address}/`, address, isPublic: isOpenToEveryone(page), sentModes };
  const framed = createFrameFactory(visit, null);
  const view = await incidentPageView(visit, kind, { id: incidentId, page: 1 }, (subject) => ({
    ...framed(subject),
    scripts: [],
    indexed: false,
  }));
  return pageHtml(IncidentPage(view));
};

/** Returns the feed entry for the newest update of an incident, or null if the page has no feeds. */
export const previewEntry = async ({ scope, page, incidentId }: PreviewedIncident): Promise<FeedEntry | null> => {
  if (!page.allow_rss_atom_feeds) return null;
  const incident = await findIncident(scope, { page_id: page.id, incident_id: incidentId });
  const { all } = await componentsForVisitors(scope, page);
  const wording = feedWordingOf(wordsFor(page.language), pageWordsFor(page.language), page.time_zone, all);
  const [newest] = updateEntries(feedChangesOf(incident), wording)();
  if (!newest) throw new NotFound('This incident has no updates.');
  return newest;
};
