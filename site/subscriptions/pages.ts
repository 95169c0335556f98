import type { ErrorBody } from '../../http/errors.ts';
import { preferredLanguage } from '../../http/media/languages.ts';
import { PAGE_LANGUAGES, pageLanguage } from '../../messages/words/languages.ts';
import { subscriptionPageWords } from '../../messages/words/subscription-pages.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { escapedHtml } from '../../http/media/error-page.ts';
import { fromPeople, layout } from '../layout.ts';
import type { Standing } from './standing.ts';

/** Of whose subscription a page speaks. */
export interface About {
  page: PageDocument;
  /** masked */
  address: string;
}

/** The page that asks for a press of its button, or says how things stand. */
export const subscriptionPage = (standing: Standing, { page, address }: About): string => {
  const language = pageLanguage(page.language);
  const words = subscriptionPageWords(language)[standing];
  const said = 'button' in words ? asking(words) : '';
  const text =
    typeof words.text === 'string' ? escapedHtml(words.text) : words.text(fromPeople(page.name), fromPeople(address));
  return layout({ language, page, title: words.title, content: `<p>${text}</p>${said}` });
};

/** A form without an `action` is sent to where the page came from, so the token stays in the query alone. */
const asking = ({ button, note }: { button: string; note: string }): string =>
  `\n<form method="post"><button>${escapedHtml(button)}</button></form>\n<p class="muted">${escapedHtml(note)}</p>`;

/** The same in one sentence, for programs. */
export const subscriptionSentence = (standing: Standing): string => `${subscriptionPageWords('en')[standing].title}.`;

/** What went wrong, in the language of the browser: whose page it would have been, nobody knows. */
export const problemPage = ({ code }: ErrorBody, languages: string | undefined): string => {
  const language = preferredLanguage(languages, PAGE_LANGUAGES);
  const words = subscriptionPageWords(language);
  const { title, text } = words[code === 403 ? 'wrong' : code === 404 || code === 410 ? 'gone' : 'trouble'];
  return layout({ language, page: null, title, content: `<p>${escapedHtml(text)}</p>` });
};
