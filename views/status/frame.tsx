import type { ComponentChildren, JSX } from 'preact';
import type { PageWords } from '../../messages/page-words/index.ts';
import { directionOf, Document } from '../document.tsx';

/** What all pages of one status page share. */
export interface Frame {
  /** the relative address of the page's root: `./` */
  root: string;
  name: string;
  /** ISO 639-1 of the page itself: it decides about the direction of the layout */
  pageLanguage: string;
  /** of the words */
  language: string;
  words: PageWords;
  theme: 'auto' | 'light' | 'dark';
  indexed: boolean;
  /** addresses relative to the root */
  stylesheets: readonly string[];
  scripts: readonly string[];
  /** further elements of the head */
  head?: ComponentChildren;
}

/** A page of a status page: its header, its content, its footer. */
export const StatusDocument = ({
  frame,
  title,
  children,
}: {
  frame: Frame;
  /** absent: the root of the page */
  title?: string;
  children: ComponentChildren;
}): JSX.Element => {
  const { root, name, language, words, theme, indexed, stylesheets, scripts, head } = frame;
  return (
    <Document
      language={language}
      direction={directionOf(frame.pageLanguage)}
      title={title === undefined ? name : `${title} · ${name}`}
      theme={theme === 'auto' ? undefined : theme}
      stylesheets={stylesheets.map((address) => root + address)}
      scripts={scripts.map((address) => root + address)}
      indexed={indexed}
      head={head}
    >
      <a class="skip" href="#content">
        {words.skipToContent}
      </a>
      <header class="site-header">
        <a class="brand" href={root}>
          <bdi>{name}</bdi>
        </a>
        <nav>
          <a href={`${root}history`}>{words.history}</a>
          <a class="button" href={`${root}subscribe`}>
            {words.subscribe}
          </a>
        </nav>
      </header>
      <main id="content">{children}</main>
    </Document>
  );
};
