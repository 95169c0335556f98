import { Type } from '@sinclair/typebox';
import { PAGE_LANGUAGES } from '../../../messages/words/languages.ts';
import type { Route } from '../../route.ts';
import { displaySettingCookie, THEMES, ZONES, type DisplaySettings } from '../display-settings.ts';
import { cookieFor } from '../cookies.ts';
import { returnAddress } from '../return-address.ts';
import { backTo, FIELD, pageForm } from './page-form.ts';

/** Lifetime of the cookies in seconds: 400 days, the maximum that browsers allow. */
const KEPT_SECONDS = 400 * 86_400;

const KNOWN: Readonly<Record<keyof DisplaySettings, readonly string[]>> = {
  language: PAGE_LANGUAGES,
  zone: ZONES,
  theme: THEMES,
};

/** Stores a visitor's choice of language, time zone and theme. An invalid value deletes the stored choice. */
export const displaySettingsRoute: Route = pageForm({
  path: '/choices',
  summary: 'Choose language, time zone and theme of a status page',
  body: Type.Object({ language: FIELD, zone: FIELD, theme: FIELD, return: FIELD }),
  answer: ({ visit: { sent } }, { return: back, ...chosen }) => {
    const cookies = (['language', 'zone', 'theme'] as const).flatMap((name) => {
      const value = chosen[name];
      if (value === undefined) return [];
      const maxAge = KNOWN[name].includes(value) ? KEPT_SECONDS : 0;
      return [
        cookieFor(sent, { name: displaySettingCookie(name), value: maxAge === 0 ? '' : value, maxAge, readable: true }),
      ];
    });
    return backTo(returnAddress(back, sent), cookies);
  },
});
