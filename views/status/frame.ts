import type { ComponentChildren } from 'preact';
import type { PageWords } from '../../messages/page-words/index.ts';
import type { PageLanguage } from '../../messages/words/languages.ts';
import type { Instant } from '../../domain/time.ts';
import type { PageTimes } from './times.ts';

export interface Link {
  title: string;
  href: string;
}

/** Which past states of a page its visitors may see, and which of them is shown. */
export interface FramePast {
  /** the earliest and the latest moment that a visitor can choose, in seconds since 1970 */
  from: number;
  until: number;
  /** null: the current state is shown */
  shown: {
    at: Instant;
    /** query that selects this moment: `at=2026-11-20T15:04:05Z` */
    query: string;
    /** queries that select the previous state (`earlier`) and the next state (`later`); null: there is no such state */
    earlier: string | null;
    later: string | null;
  } | null;
}

/** The data that all pages of one status page share. */
export interface Frame {
  /** address of the page's root, relative to the current page: `./` */
  root: string;
  /** address of the current page, relative to the root, to which forms redirect; absent: the root */
  here?: string;
  name: string;
  /** ISO 639-1 language of the page itself. It determines the direction of the layout */
  pageLanguage: string;
  /** language of the texts */
  language: PageLanguage;
  words: PageWords;
  times: PageTimes;
  /** time zone that the visitor has chosen. `local`: the script shows times in the browser's time zone */
  zone: 'local' | 'page' | 'utc';
  pageZone: string;
  theme: 'auto' | 'light' | 'dark';
  template: 'default' | 'compact' | 'minimal';
  indexed: boolean;
  /** whether the footer and the links to other pages are left out; default: false */
  bare?: boolean;
  /** https address of the logo; null: the name is shown instead */
  logo: string | null;
  /** https address of a picture across the top; null: none */
  cover: string | null;
  /** whether the visitor is signed in as a member, and can therefore sign out */
  isMember: boolean;
  /** whether visitors can subscribe to the page, or to some of its components */
  subscribable: boolean;
  /** whether visitors can subscribe to one incident */
  followable: boolean;
  /** addresses of stylesheets, relative to the root */
  stylesheets: readonly string[];
  /**
   * address of the page's custom CSS, relative to the root; null: none. Forms for passwords and addresses do not use
   * the custom CSS
   */
  customStylesheet: string | null;
  scripts: readonly string[];
  /** other formats of the page; addresses are relative to the root */
  feeds: readonly Link[];
  /** external links with absolute addresses */
  links: readonly Link[];
  /** null: visitors may not see past states */
  past: FramePast | null;
  /** version of the content, for the script that follows changes; null: the page is not updated while it is open */
  version: string | null;
  /** further elements of the head */
  head?: ComponentChildren;
}

/**
 * Returns the address of another page of the status page. If a past state is shown, the address selects the same
 * moment.
 *
 * @param path below the root, without a leading slash: `history?month=2026-11`; empty: the root
 */
export const addressIn = ({ root, past }: Pick<Frame, 'root' | 'past'>, path: string): string =>
  root + (past?.shown ? withQuery(path, past.shown.query) : path);

/** Returns an address within the same page, such as `?range=7d`, at the shown moment. */
export const atSameMoment = ({ past }: Pick<Frame, 'past'>, address: string): string =>
  past?.shown ? withQuery(address, past.shown.query) : address;

const withQuery = (address: string, query: string): string => `${address}${address.includes('?') ? '&' : '?'}${query}`;
