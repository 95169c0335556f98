import { NotFound } from '../../../domain/errors.ts';
import { publicAddress, type PublicPlaces } from '../../../domain/page/public-address.ts';
import { isOpenToAll } from '../../../domain/page/access.ts';
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
import { saidOf, wordingOf } from '../feeds/incident-changes.ts';
import { updateEntries, type FeedEntry } from '../feeds/entries.ts';
import { framing } from '../html-page.ts';
import { incidentPageView } from './incident-page-view.ts';

/** An incident for a preview as visitors would see it, in the page's language. */
export interface Previewed {
  scope: Scope;
  page: PageDocument;
  incidentId: string;
  places: PublicPlaces;
  sentModes: ReadonlySet<SubscriberMode>;
}

/** The page of an incident, without scripts. Its URLs are absolute if the service knows its own URL. */
export const previewPage = async ({ scope, page, incidentId, places, sentModes }: Previewed): Promise<string> => {
  const { kind } = await findIncident(scope, { page_id: page.id, incident_id: incidentId });
  const address = publicAddress(page, places);
  const choices = { language: pageLanguage(page.language), zone: 'page', theme: 'auto' } as const;
  const visit = { scope, page, choices, root: `${address}/`, address, isPublic: isOpenToAll(page), sentModes };
  const framed = framing(visit, null);
  const view = await incidentPageView(visit, kind, { id: incidentId, page: 1 }, (subject) => ({
    ...framed(subject),
    scripts: [],
    indexed: false,
  }));
  return pageHtml(IncidentPage(view));
};

/** The feed entry for the newest update of an incident; null: the page has no feeds. */
export const previewEntry = async ({ scope, page, incidentId }: Previewed): Promise<FeedEntry | null> => {
  if (!page.allow_rss_atom_feeds) return null;
  const incident = await findIncident(scope, { page_id: page.id, incident_id: incidentId });
  const { all } = await componentsForVisitors(scope, page);
  const wording = wordingOf(wordsFor(page.language), pageWordsFor(page.language), page.time_zone, all);
  const [newest] = updateEntries(saidOf(incident), wording)();
  if (!newest) throw new NotFound('This incident has no updates.');
  return newest;
};
