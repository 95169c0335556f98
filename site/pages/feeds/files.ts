import { FORMATS, type FeedFormat } from './formats.ts';

/** What the entries of a feed are. `history`: one entry per incident; `updates`: one entry per change. */
export type FeedForm = 'history' | 'updates';

/** A feed file. It is in the folder of its subject. */
export interface FeedFile extends FeedFormat {
  name: string;
  form: FeedForm;
}

export const FEED_FILES: readonly FeedFile[] = [
  { name: 'history.atom', form: 'history', ...FORMATS.atom },
  { name: 'history.rss', form: 'history', ...FORMATS.rss },
  { name: 'updates.atom', form: 'updates', ...FORMATS.atom },
  { name: 'updates.rss', form: 'updates', ...FORMATS.rss },
  { name: 'feed.json', form: 'history', ...FORMATS.json },
];
