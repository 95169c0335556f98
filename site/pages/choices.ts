import type { SentRequest } from '../../http/routes/sent-request.ts';
import { PAGE_LANGUAGES, pageLanguage, type PageLanguage } from '../../messages/words/languages.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';

/** The zone in which times are shown; `local`: that of the visitor's browser, which a script applies. */
export const ZONES = ['local', 'page', 'utc'] as const;
export const THEMES = ['auto', 'light', 'dark'] as const;

/** How a visitor wants to see a page. */
export interface Choices {
  language: PageLanguage;
  zone: (typeof ZONES)[number];
  theme: (typeof THEMES)[number];
}

/** Cookies of choices: `uptrail-language`, `uptrail-zone`, `uptrail-theme`. */
export const choiceCookie = (name: keyof Choices): string => `uptrail-${name}`;

const chosen = <T extends string>(known: readonly T[], value: string | null): T | undefined =>
  known.find((one) => one === value);

/** A visitor's choices: from `?lang=`, else from cookies, else what the page says. */
export const choicesOf = (sent: SentRequest, page: Pick<PageDocument, 'language'>): Choices => {
  const asked = new URLSearchParams(sent.search).get('lang');
  return {
    language:
      chosen(PAGE_LANGUAGES, asked) ??
      chosen(PAGE_LANGUAGES, sent.cookie(choiceCookie('language'))) ??
      pageLanguage(page.language),
    zone: chosen(ZONES, sent.cookie(choiceCookie('zone'))) ?? 'local',
    theme: chosen(THEMES, sent.cookie(choiceCookie('theme'))) ?? 'auto',
  };
};

/**
 * The language of a picture or of a file for programs: from `?lang=`, else what the page says. Cookies do not count, so
 * that each address has the same content for everybody.
 */
export const pictureLanguage = (sent: SentRequest, page: Pick<PageDocument, 'language'>): PageLanguage =>
  chosen(PAGE_LANGUAGES, new URLSearchParams(sent.search).get('lang')) ?? pageLanguage(page.language);
