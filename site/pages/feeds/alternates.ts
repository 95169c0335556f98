import { pageWordsFor } from '../../../messages/page-words/index.ts';
import type { PageVisit } from '../page-route.ts';
import { FEED_FILES } from './files.ts';
import { folderOf, type FeedKind } from './subject.ts';

/** The data of a `<link rel="alternate">`, which refers to the content in a format for programs. */
export interface Alternate {
  /** media type */
  type: string;
  title: string;
  /** URL relative to the current page */
  href: string;
}

/** The subject of a page: the whole status page, or one object on it. */
export type AlternateSubject = { kind: 'page' } | { kind: Exclude<FeedKind, 'page'>; id: string; name: string };

/**
 * Returns links to all formats for programs, for a subject and for the whole status page: feeds if they are enabled,
 * the maintenance calendar, and the summary of the public API.
 */
export const alternatesOf = (
  { page, root, choices }: Pick<PageVisit, 'page' | 'root' | 'choices'>,
  about: AlternateSubject = { kind: 'page' },
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
