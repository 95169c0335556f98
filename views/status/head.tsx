import type { JSX } from 'preact';
import { CARD } from '../../messages/cards/card.ts';

/** Another format of a page or of its content. */
export interface Alternate {
  href: string;
  /** media type */
  type: string;
  title: string;
}

/** The metadata in the head of a page, for search engines, link previews, browsers and feed readers. */
export interface SocialHeadProps {
  title: string;
  description: string;
  siteName: string;
  /** language of the texts: `de` */
  language: string;
  /**
   * absolute addresses; null: the service does not know its own address, so metadata that needs absolute addresses is
   * left out
   */
  absolute: { url: string; card: string } | null;
  /** text alternative of the card */
  cardText: string;
  icon: { href: string; type: string | null };
  manifest: string;
  alternates: readonly Alternate[];
  /** structured data in the vocabulary of schema.org */
  data: object;
}

/**
 * Returns JSON for the content of a `script` element, escaped so that the JSON can not end the element. Browsers do not
 * run such data blocks, so `script-src` does not apply to them (HTML standard: prepare the script element).
 */
const scriptJson = (data: object): string =>
  JSON.stringify(data).replace(/[<>\u2028\u2029]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });

/** The elements of the head except title, styles and scripts. */
export const SocialHead = (props: SocialHeadProps): JSX.Element => {
  const { title, description, siteName, language, absolute, cardText, icon, manifest, alternates, data } = props;
  return (
    <>
      <meta name="description" content={description} />
      <PageIcon {...icon} />
      <link rel="manifest" href={manifest} />
      {alternates.map(({ href, type, title: name }) => (
        <link rel="alternate" type={type} href={href} title={name} />
      ))}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:locale" content={language} />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      {absolute && (
        <>
          <link rel="canonical" href={absolute.url} />
          <meta property="og:url" content={absolute.url} />
          <meta property="og:image" content={absolute.card} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={CARD.width.toString()} />
          <meta property="og:image:height" content={CARD.height.toString()} />
          <meta property="og:image:alt" content={cardText} />
          <meta name="twitter:card" content="summary_large_image" />
          <meta name="twitter:image" content={absolute.card} />
          <meta name="twitter:image:alt" content={cardText} />
        </>
      )}
      {/* HTML does not decode escapes in this element, so normal escaping would break the JSON. */}
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: scriptJson(data) }} />
    </>
  );
};

/** The icon of a page in tabs and bookmarks. @param type media type; null: browsers determine it from the file */
export const PageIcon = ({ href, type }: { href: string; type: string | null }): JSX.Element => (
  <link rel="icon" href={href} type={type ?? undefined} />
);
