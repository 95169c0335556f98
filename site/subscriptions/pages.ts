import type { ErrorBody } from '../../http/errors.ts';
import { preferredLanguage } from '../../http/media/accept-language.ts';
import { pageWordsFor } from '../../messages/page-words/index.ts';
import { PAGE_LANGUAGES, pageLanguage, type PageLanguage } from '../../messages/words/languages.ts';
import { subscriptionPageWords } from '../../messages/words/subscription-pages.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { pageHtml } from '../../views/document.tsx';
import type { LinkPageFrame } from '../../views/subscription/link-document.tsx';
import { LinkPage } from '../../views/subscription/link-page.tsx';
import { assetName } from '../assets/assets.ts';
import { FORM_STYLESHEETS } from '../pages/frame.ts';
import { colorsAddress } from '../styles/stylesheet.ts';
import type { LinkState } from './link-state.ts';

/** The subscription that a page shows. */
export interface MailedSubscription {
  page: PageDocument;
  /** masked address of the subscriber */
  address: string;
}

/**
 * Returns the frame of a page to which a link in a message leads. The frame contains the name and the colours of the
 * status page.
 */
export const linkFrameOf = (page: PageDocument | null, language: PageLanguage): LinkPageFrame => {
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
 * Returns the page that shows the state of a subscription link. For some states, the page asks the visitor to press a
 * button.
 *
 * @param manage URL of the page for changing the subscription, or null if it is not offered
 */
export const subscriptionPage = (
  standing: LinkState,
  { page, address }: MailedSubscription,
  manage: string | null,
): string => {
  const language = pageLanguage(page.language);
  const words = subscriptionPageWords(language)[standing];
  const label = pageWordsFor(language).subscription.manage.link;
  return pageHtml(
    LinkPage({
      frame: linkFrameOf(page, language),
      title: words.title,
      text: words.text,
      address,
      confirmation: 'button' in words ? words : null,
      manage: manage === null ? null : { href: manage, label },
    }),
  );
};

/** Returns one sentence about the state of a subscription link, for programs. */
export const subscriptionSentence = (standing: LinkState): string => `${subscriptionPageWords('en')[standing].title}.`;

/**
 * Returns an error page. It is in the language of the browser, because the status page, and thus its language, is
 * unknown.
 */
export const problemPage = ({ code }: ErrorBody, languages: string | undefined): string => {
  const language = preferredLanguage(languages, PAGE_LANGUAGES);
  const words = subscriptionPageWords(language);
  const { title, text } = words[code === 403 ? 'wrong' : code === 404 || code === 410 ? 'gone' : 'trouble'];
  const frame = linkFrameOf(null, language);
  return pageHtml(LinkPage({ frame, title, text, address: '', confirmation: null, manage: null }));
};
