import type { SentRequest } from '../../http/routes/sent-request.ts';
import { PAGE_LANGUAGES, pageLanguage, type PageLanguage } from '../../messages/words/languages.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';

/** The time zone of the displayed times; `local`: the zone of the visitor's browser, applied by a script. */
export const ZONES = ['local', 'page', 'utc'] as const;
export const THEMES = ['auto', 'light', 'dark'] as const;

/** A visitor's display settings. */
export interface DisplaySettings {
  language: PageLanguage;
  zone: (typeof ZONES)[number];
  theme: (typeof THEMES)[number];
}

/** Returns the name of the cookie for a display setting: `uptrail-language`, `uptrail-zone` or `uptrail-theme`. */
export const displaySettingCookie = (name: keyof DisplaySettings): string => `uptrail-${name}`;

const chosen = <T extends string>(known: readonly T[], value: string | null): T | undefined =>
  known.find((one) => one === value);

/**
 * Returns a visitor's settings. The language comes from `?lang=` in the URL, else from a cookie, else from the page.
 * The time zone and the theme come from cookies.
 */
export const displaySettingsOf = (sent: SentRequest, page: Pick<PageDocument, 'language'>): DisplaySettings => {
  const requested = new URLSearchParams(sent.search).get('lang');
  return {
    language:
      chosen(PAGE_LANGUAGES, requested) ??
      chosen(PAGE_LANGUAGES, sent.cookie(displaySettingCookie('language'))) ??
      pageLanguage(page.language),
    zone: chosen(ZONES, sent.cookie(displaySettingCookie('zone'))) ?? 'local',
    theme: chosen(THEMES, sent.cookie(displaySettingCookie('theme'))) ?? 'auto',
  };
};

/**
 * Returns the language of a picture or of a file for programs. It comes from `?lang=` in the URL or, without that, from
 * the page. Cookies are ignored, so that each URL has the same content for everybody.
 */
export const pictureLanguage = (sent: SentRequest, page: Pick<PageDocument, 'language'>): PageLanguage =>
  chosen(PAGE_LANGUAGES, new URLSearchParams(sent.search).get('lang')) ?? pageLanguage(page.language);
