import type { ComponentChildren } from 'preact';
import type { PageWords } from '../../messages/page-words/index.ts';
import type { PageLanguage } from '../../messages/words/languages.ts';
import type { PageTimes } from './times.ts';

export interface Link {
  title: string;
  href: string;
}

/** The data that all pages of one status page share. */
export interface Frame {
  /** the relative address of the page's root: `./` */
  root: string;
  /** the address of this page, relative to the root, that forms lead back to; absent: the root */
  here?: string;
  name: string;
  /** ISO 639-1 of the page itself, which determines the direction of the layout */
  pageLanguage: string;
  /** of the texts */
  language: PageLanguage;
  words: PageWords;
  times: PageTimes;
  /** the visitor's choice; for `local`, the script shows times in the browser's time zone */
  zone: 'local' | 'page' | 'utc';
  pageZone: string;
  theme: 'auto' | 'light' | 'dark';
  template: 'default' | 'compact' | 'minimal';
  indexed: boolean;
  /** whether links to other pages and the footer are left out; default: no */
  bare?: boolean;
  /** an https address; null: the name is shown instead */
  logo: string | null;
  /** an https address of a picture across the top; null: none */
  cover: string | null;
  /** whether the visitor is signed in as a member, and so can sign out */
  isMember: boolean;
  /** whether visitors may subscribe to the page, or to some of its components */
  subscribable: boolean;
  /** whether visitors may subscribe to one incident */
  followable: boolean;
  /** addresses relative to the root */
  stylesheets: readonly string[];
  /** the page's custom CSS, relative to the root; null: none. Forms for passwords and addresses are shown without it */
  customStylesheet: string | null;
  scripts: readonly string[];
  /** formats of the page, relative to the root */
  feeds: readonly Link[];
  /** external, absolute */
  links: readonly Link[];
  /** version of the content, for the script that follows changes; null: the page does not change while it is open */
  version: string | null;
  /** further elements of the head */
  head?: ComponentChildren;
}
