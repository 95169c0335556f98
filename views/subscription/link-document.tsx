import type { ComponentChildren, JSX } from 'preact';
import type { PageLanguage } from '../../messages/words/languages.ts';
import { directionOf, Document } from '../document.tsx';
import { ServiceIcon } from '../service-icon.tsx';
import { StateShapes } from '../status/state.tsx';

/**
 * The data for the HTML document of a page that a link in a message opens. Such pages are on the service's own host.
 */
export interface LinkPageFrame {
  /** language of the texts */
  language: PageLanguage;
  /** null: the status page is unknown */
  page: { name: string; /** ISO 639-1 */ language: string } | null;
  /** addresses of stylesheets, relative to the requested address */
  stylesheets: readonly string[];
}

interface LinkDocumentProps {
  frame: LinkPageFrame;
  title: string;
  children: ComponentChildren;
}

/**
 * A page to which a link in a message leads. The address of the page contains a token, so browsers must send no
 * referrer, and search engines must not index the page.
 */
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
  /** builds a sentence from the name of a page and the address of a subscriber */
  text: (page: string, address: string) => string;
  page: string;
  address: string;
}

/**
 * Placeholders for the names in a sentence. They never occur in translated texts. The sentence is split at the
 * placeholders before the names are inserted, so names may contain any text.
 */
const PLACES = { page: '\u0001', address: '\u0002' } as const;

/**
 * A sentence with names that users have chosen. Bidirectional control characters in a name do not affect the text
 * around it.
 */
export const FilledSentence = ({ text, page, address }: FilledProps): JSX.Element => (
  <p>
    {text(PLACES.page, PLACES.address)
      .split(/([\u0001\u0002])/)
      .map((part) =>
        part === PLACES.page ? <bdi>{page}</bdi> : part === PLACES.address ? <bdi>{address}</bdi> : part,
      )}
  </p>
);
