import { publicAddress, type PublicAddressSettings } from '../../domain/page/public-address.ts';
import { pageWordsFor } from '../../messages/page-words/index.ts';
import type { PageLanguage } from '../../messages/words/languages.ts';
import { pages } from '../../projections/pages/projection.ts';
import { ReadModelLate, ReadModelUnavailable, type Read } from '../../projections/readers.ts';
import { listPublicPages, type PublicPages } from '../../queries/pages/public-pages.ts';
import { ReadStoreUnavailable } from '../../stores/read-store/port.ts';
import { pageHtml } from '../../views/document.tsx';
import { FrontPage } from '../../views/front/front-page.tsx';
import { assetName } from '../assets/assets.ts';

/** What the front page lists. `pages`: public status pages; `plain`: nothing. */
export type FrontDoorStyle = 'pages' | 'plain';

export interface FrontDoorOptions {
  style: FrontDoorStyle;
  /** returns the positions of projections in their logs, by the projections' names (projections/engine/readers.ts) */
  positions: (names: readonly string[]) => string;
  /** the service's public URLs */
  places: PublicAddressSettings;
}

export interface FrontDoor {
  /** returns the page as HTML */
  page: (read: Read, language: PageLanguage) => Promise<string>;
  /** returns the page as JSON, for programs */
  summary: (read: Read) => Promise<FrontSummary>;
}

/** The front page in JSON. */
export interface FrontSummary {
  service: 'Uptrail';
  status: 'running';
  console: string;
  documentation: string;
  openapi: string;
  health: string;
  /** absent: the front page does not list pages; null: the pages can't be read at the moment */
  pages?: readonly { name: string; url: string }[] | null;
}

/** Maximum number of listed pages. */
const MOST_LISTED = 100;

/** Returns the path of a status page, below the service's root. */
const pathOf = (subdomain: string): string => `status/${encodeURIComponent(subdomain)}`;

/**
 * Creates the front page. The list of pages is cached until the position of its read model changes. Therefore, there is
 * at most one query per change, and no query while there are no visitors.
 */
export const createFrontDoor = ({ style, positions, places }: FrontDoorOptions): FrontDoor => {
  let current: Listing | null = null;
  const addressOf = (path: string): string => `${places.publicUrl ?? ''}${path}`;

  const list = (read: Read): Listing => {
    const position = positions([pages.name]);
    if (current?.position === position) return current;
    const listing: Listing = { position, found: listPublicPages(read, MOST_LISTED), html: new Map() };
    listing.found.catch(() => {
      if (current === listing) current = null;
    });
    return (current = listing);
  };

  /** Returns the listed pages, or `late` if they can't be read at the moment. */
  const foundBy = async ({ found }: Listing): Promise<PublicPages | 'late'> => {
    try {
      return await found;
    } catch (error) {
      if (UNREADABLE.some((Unreadable) => error instanceof Unreadable)) return 'late';
      throw error;
    }
  };

  return {
    page: async (read, language) => {
      const listing = style === 'plain' ? null : list(read);
      const known = listing?.html.get(language);
      if (known !== undefined) return known;
      const html = frontHtml(listing && (await foundBy(listing)), language);
      listing?.html.set(language, html);
      return html;
    },
    summary: async (read) => {
      const found = style === 'plain' ? null : await foundBy(list(read));
      return {
        service: 'Uptrail',
        status: 'running',
        console: addressOf('/console'),
        documentation: addressOf('/docs'),
        openapi: addressOf('/openapi.json'),
        health: addressOf('/health/ready'),
        ...(found !== null && {
          pages:
            found === 'late'
              ? null
              : found.pages.map((page) => ({ name: page.name, url: publicAddress(page, places) })),
        }),
      };
    },
  };
};

/** The public pages at one position of their read model, and the front page rendered from this list, by language. */
interface Listing {
  position: string;
  /** rejects with ReadModelUnavailable and similar errors */
  found: Promise<PublicPages>;
  html: Map<PageLanguage, string>;
}

const frontHtml = (found: PublicPages | 'late' | null, language: PageLanguage): string =>
  pageHtml(
    FrontPage({
      language,
      words: pageWordsFor(language),
      pages:
        found === null || found === 'late'
          ? found
          : {
              more: found.more,
              listed: found.pages.map(({ name, subdomain }) => ({ name, address: pathOf(subdomain) })),
            },
      stylesheets: [`site/assets/${assetName('front.css')}`],
    }),
  );

/**
 * Errors that mean that a read model can't be read at the moment. If one of them occurs, the front page is served
 * without the list of pages.
 */
const UNREADABLE = [ReadModelUnavailable, ReadModelLate, ReadStoreUnavailable];
