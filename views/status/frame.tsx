import type { ComponentChildren, JSX } from 'preact';
import type { PageWords } from '../../messages/page-words/index.ts';
import type { PageLanguage } from '../../messages/words/languages.ts';
import { directionOf, Document } from '../document.tsx';
import { Footer } from './footer.tsx';
import { StateShapes } from './state.tsx';
import type { PageTimes } from './times.ts';

export interface Link {
  title: string;
  href: string;
}

/** What all pages of one status page share. */
export interface Frame {
  /** the relative address of the page's root: `./` */
  root: string;
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
  /** an https address; null: the name stands there */
  logo: string | null;
  /** an https address of a picture across the top; null: none */
  cover: string | null;
  /** whether visitors may subscribe at all */
  subscribable: boolean;
  /** addresses relative to the root */
  stylesheets: readonly string[];
  scripts: readonly string[];
  /** formats of the page, relative to the root */
  feeds: readonly Link[];
  /** elsewhere, absolute */
  links: readonly Link[];
  /** further elements of the head */
  head?: ComponentChildren;
}

interface StatusDocumentProps {
  frame: Frame;
  /** absent: the root of the page */
  title?: string;
  /** further elements of the head of this page alone */
  head?: ComponentChildren;
  children: ComponentChildren;
}

/** A page of a status page: its header, its content, its footer. */
export const StatusDocument = ({ frame, title, head, children }: StatusDocumentProps): JSX.Element => {
  const { root, name, language, theme, indexed, stylesheets, scripts, template, words } = frame;
  return (
    <Document
      language={language}
      direction={directionOf(frame.pageLanguage)}
      title={title === undefined ? name : `${title} · ${name}`}
      theme={theme === 'auto' ? undefined : theme}
      stylesheets={stylesheets.map((address) => root + address)}
      scripts={scripts.map((address) => root + address)}
      indexed={indexed}
      head={
        <>
          {frame.head}
          {head}
        </>
      }
    >
      <div class={`status-page template-${template}`} data-zone={frame.zone} data-page-zone={frame.pageZone}>
        <a class="skip" href="#content">
          {words.skipToContent}
        </a>
        <StateShapes />
        <Header frame={frame} />
        <main id="content">{children}</main>
        <Footer frame={frame} />
        <p class="announcement" role="status" aria-live="polite" data-announce={words.connection.changed}></p>
      </div>
    </Document>
  );
};

const Header = ({ frame }: { frame: Frame }): JSX.Element => {
  const { root, name, words, logo, cover, subscribable } = frame;
  return (
    <>
      {cover !== null && <img class="cover" src={cover} alt="" referrerpolicy="no-referrer" />}
      <header class="site-header">
        <a class="brand" href={root}>
          {logo === null ? <bdi>{name}</bdi> : <img src={logo} alt={name} referrerpolicy="no-referrer" />}
        </a>
        <nav>
          <a href={`${root}history`}>{words.history}</a>
          {subscribable && (
            <a class="button primary" href={`${root}subscribe`}>
              {words.subscribe}
            </a>
          )}
        </nav>
      </header>
    </>
  );
};
