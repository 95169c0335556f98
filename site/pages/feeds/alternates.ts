import { pageWordsFor } from '../../../messages/page-words/index.ts';
import type { PageVisit } from '../page-route.ts';
import { FEED_FILES } from './files.ts';
import { folderOf, type FeedKind } from './subject.ts';

/** A `<link rel="alternate">`: the same in a format for programs. */
export interface Alternate {
  /** media type */
  type: string;
  title: string;
  /** relative to the page that is shown */
  href: string;
}

/** What a page is about: the status page, or one thing on it. */
export type About = { kind: 'page' } | { kind: Exclude<FeedKind, 'page'>; id: string; name: string };

/**
 * The formats for programs of what a page is about, and of the whole status page: feeds where the status page has them,
 * the calendar of maintenances, and the summary of the public interface.
 */
export const alternatesOf = (
  { page, root, choices }: Pick<PageVisit, 'page' | 'root' | 'choices'>,
  about: About = { kind: 'page' },
): Alternate[] => {
  const { feeds } = pageWordsFor(choices.language);
  const feedsOf = (folder: string, name: string): Alternate[] =>
    FEED_FILES.map((file) => ({
      type: file.type.name,
      title: `${name} – ${feeds[file.form]}`,
      href: `${root}${folder}${file.name}`,
    }));
  return [
    ...(page.allow_rss_atom_feeds && about.kind !== 'page' ? feedsOf(folderOf(about.kind, about.id), about.name) : []),
    ...(page.allow_rss_atom_feeds ? feedsOf('', page.name) : []),
    { type: 'text/calendar', title: `${page.name} – ${feeds.calendar}`, href: `${root}maintenance.ics` },
    { type: 'application/json', title: page.name, href: `${root}api/v2/summary.json` },
  ];
};
