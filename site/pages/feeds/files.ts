import { FORMATS, type FeedFormat } from './write.ts';

/** What the entries of a feed are: incidents, or what was said about them. */
export type FeedForm = 'history' | 'updates';

/** A file of a feed, in the folder of what it is about. */
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
