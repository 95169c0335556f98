import type { ComponentChildren } from 'preact';
import type { PageWords } from '../../messages/page-words/index.ts';
import type { PageLanguage } from '../../messages/words/languages.ts';
import type { PageTimes } from './times.ts';

export interface Link {
  title: string;
  href: string;
}

/** What all pages of one status page share. */
export interface Frame {
  /** the relative address of the page's root: `./` */
  root: string;
  /** the address of this page, relative to the root, to which forms lead back; absent: the root */
  here?: string;
  name: string;
  /** ISO 639-1 of the page itself: it decides about the direction of the layout */
  pageLanguage: string;
  /** of the words */
  language: PageLanguage;
  words: PageWords;
  times: PageTimes;
  /** what the visitor chose: the script shows times in the browser's zone where that is `local` */
  zone: 'local' | 'page' | 'utc';
  pageZone: string;
  theme: 'auto' | 'light' | 'dark';
  template: 'default' | 'compact' | 'minimal';
  indexed: boolean;
  /** whether there are neither links to other pages nor a footer; default: no */
  bare?: boolean;
  /** an https address; null: the name stands there */
  logo: string | null;
  /** an https address of a picture across the top; null: none */
  cover: string | null;
  /** whether the page is open to the visitor as a member, who can sign out */
  isMember: boolean;
  /** whether visitors may subscribe to the page, or to some of its components */
  subscribable: boolean;
  /** whether visitors may subscribe to one incident */
  followable: boolean;
  /** addresses relative to the root */
  stylesheets: readonly string[];
  /** the page's own rules, relative to the root; null: none. Forms for passwords and addresses are shown without */
  customStylesheet: string | null;
  scripts: readonly string[];
  /** formats of the page, relative to the root */
  feeds: readonly Link[];
  /** elsewhere, absolute */
  links: readonly Link[];
  /** identifies what is shown, for the script that follows changes; null: the page does not change while it is open */
  version: string | null;
  /** further elements of the head */
  head?: ComponentChildren;
}
