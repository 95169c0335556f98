import type { ComponentChildren, JSX } from 'preact';
import type { PageLanguage } from '../../messages/words/languages.ts';
import { directionOf, Document } from '../document.tsx';
import { ServiceIcon } from '../service-icon.tsx';
import { StateShapes } from '../status/state.tsx';

/** What the pages have around their content that links in messages lead to. They are on the service's own host. */
export interface LinkFrame {
  /** of the words */
  language: PageLanguage;
  /** null: whose page it is, nobody knows */
  page: { name: string; /** ISO 639-1 */ language: string } | null;
  /** addresses, relative to the requested one */
  stylesheets: readonly string[];
}

interface LinkDocumentProps {
  frame: LinkFrame;
  title: string;
  children: ComponentChildren;
}

/** A page behind a link. Its address holds a token: no other page is told it, and search engines leave it out. */
export const LinkDocument = ({ frame, title, children }: LinkDocumentProps): JSX.Element => {
  const { language, page, stylesheets } = frame;
  return (
    <Document
      language={language}
      direction={directionOf(page?.language ?? language)}
      title={page === null ? title : `${title} · ${page.name}`}
      stylesheets={stylesheets}
      indexed={false}
      referrer="no-referrer"
      head={<ServiceIcon />}
    >
      <div class="link-page">
        <StateShapes />
        {page !== null && (
          <header class="page-name">
            <bdi>{page.name}</bdi>
          </header>
        )}
        <main>{children}</main>
      </div>
    </Document>
  );
};

interface FilledProps {
  /** a sentence of a page and an address */
  text: (page: string, address: string) => string;
  page: string;
  address: string;
}

/** No words have these characters, so that names may hold anything. */
const PLACES = { page: '\u0001', address: '\u0002' } as const;

/** A sentence with names that came from people: marks of direction in them change nothing around them. */
export const Filled = ({ text, page, address }: FilledProps): JSX.Element => (
  <p>
    {text(PLACES.page, PLACES.address)
      .split(/([\u0001\u0002])/)
      .map((part) =>
        part === PLACES.page ? <bdi>{page}</bdi> : part === PLACES.address ? <bdi>{address}</bdi> : part,
      )}
  </p>
);
