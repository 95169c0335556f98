import type { JSX } from 'preact';
import { oneLine } from '../../messages/characters.ts';
import { pageLanguage } from '../../messages/words/languages.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { SocialHead } from '../../views/status/head.tsx';
import { alternatesOf, type AlternateSubject } from './feeds/alternates.ts';
import { pictureAddress } from './picture-addresses.ts';
import type { PageVisit } from './page-route.ts';

/** Maximum length of a description, in UTF-16 units. Search engines and chat programs do not show more. */
const LONGEST_DESCRIPTION = 300;

/** The subject of one of the pages below a status page's root, for example an incident. */
export interface HeadSubject {
  /** path below the root, without a leading slash: `incidents/x`; empty: the root */
  path: string;
  /** default: the name of the status page */
  title?: string;
  /** default: the description of the status page, or else its name */
  description?: string;
  /** path of the card below the root; default: the card of the status page */
  card?: string;
  /** a subject with feeds of its own; default: the whole status page */
  about?: AlternateSubject;
  /** times of a text with a date, such as an incident, in ISO 8601 with a zone */
  article?: { published: string; modified: string };
}

/**
 * Returns the metadata of a page for programs: canonical URL, card, icon, alternative formats and type. The caller adds
 * the metadata to the `head` of the frame.
 */
export const socialHead = (visit: HeadVisit, subject: HeadSubject): JSX.Element => {
  const { page, root, choices, address } = visit;
  const { path, title = page.name, card = 'card.png' } = subject;
  const description = oneLine(subject.description ?? (page.page_description || page.name), LONGEST_DESCRIPTION);
  const isKnown = /^https?:/.test(address);
  const url = `${address}/${path}`;
  const language = choices.language === pageLanguage(page.language) ? '' : `?lang=${choices.language}`;
  return SocialHead({
    title,
    description,
    siteName: page.name,
    language: choices.language,
    absolute: isKnown ? { url, card: `${address}/${card}${language}` } : null,
    cardText: title === page.name ? description : `${page.name}: ${title}`,
    icon: iconOf(page, root),
    manifest: `${root}manifest.webmanifest`,
    alternates: alternatesOf(visit, subject.about),
    data: dataOf(visit, { ...subject, title }, description, isKnown ? url : null),
  });
};

export type HeadVisit = Pick<PageVisit, 'page' | 'root' | 'choices' | 'address'>;

/** Returns the icon that the page's owner has configured, or else the icon that shows the page's state. */
const iconOf = (page: PageDocument, root: string): { href: string; type: string | null } => {
  const own = pictureAddress(page.favicon_logo);
  return own === null ? { href: `${root}favicon.svg`, type: 'image/svg+xml' } : { href: own, type: null };
};

/** Returns the structured data of a page (schema.org). */
const dataOf = (
  { page, choices }: HeadVisit,
  { title, article }: HeadSubject,
  description: string,
  url: string | null,
): object => ({
  '@context': 'https://schema.org',
  '@type': article ? 'Article' : 'WebPage',
  ...(article
    ? { headline: title, datePublished: article.published, dateModified: article.modified }
    : { name: title }),
  description,
  inLanguage: choices.language,
  ...(url !== null && { url }),
  publisher: { '@type': 'Organization', name: page.name, ...(page.url !== null && { url: page.url }) },
});
