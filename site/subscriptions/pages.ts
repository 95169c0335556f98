import type { ErrorBody } from '../../http/errors.ts';
import { preferredLanguage } from '../../http/media/languages.ts';
import { pageWordsFor } from '../../messages/page-words/index.ts';
import { PAGE_LANGUAGES, pageLanguage, type PageLanguage } from '../../messages/words/languages.ts';
import { subscriptionPageWords } from '../../messages/words/subscription-pages.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { pageHtml } from '../../views/document.tsx';
import type { LinkFrame } from '../../views/subscription/link-document.tsx';
import { LinkPage } from '../../views/subscription/link-page.tsx';
import { assetName } from '../assets/bundles.ts';
import { FORM_STYLESHEETS } from '../pages/frame.ts';
import { colorsAddress } from '../styles/stylesheet.ts';
import type { Standing } from './standing.ts';

/** Of whose subscription a page speaks. */
export interface About {
  page: PageDocument;
  /** masked */
  address: string;
}

/** What is around a page behind a link: its own status page's name and colours. */
export const linkFrameOf = (page: PageDocument | null, language: PageLanguage): LinkFrame => {
  const colors = page && colorsAddress(page);
  return {
    language,
    page,
    stylesheets: [
      ...FORM_STYLESHEETS.map((name) => `../site/assets/${assetName(name)}`),
      ...(colors === null ? [] : [`..${colors}`]),
    ],
  };
};

/**
 * The page that asks for a press of its button, or says how things stand.
 *
 * @param manage address of the page that changes the subscription; null: it is not offered
 */
export const subscriptionPage = (standing: Standing, { page, address }: About, manage: string | null): string => {
  const language = pageLanguage(page.language);
  const words = subscriptionPageWords(language)[standing];
  const label = pageWordsFor(language).subscription.manage.link;
  return pageHtml(
    LinkPage({
      frame: linkFrameOf(page, language),
      title: words.title,
      text: words.text,
      address,
      asks: 'button' in words ? words : null,
      manage: manage === null ? null : { href: manage, label },
    }),
  );
};

/** The same in one sentence, for programs. */
export const subscriptionSentence = (standing: Standing): string => `${subscriptionPageWords('en')[standing].title}.`;

/** What went wrong, in the language of the browser: whose page it would have been, nobody knows. */
export const problemPage = ({ code }: ErrorBody, languages: string | undefined): string => {
  const language = preferredLanguage(languages, PAGE_LANGUAGES);
  const words = subscriptionPageWords(language);
  const { title, text } = words[code === 403 ? 'wrong' : code === 404 || code === 410 ? 'gone' : 'trouble'];
  const frame = linkFrameOf(null, language);
  return pageHtml(LinkPage({ frame, title, text, address: '', asks: null, manage: null }));
};
