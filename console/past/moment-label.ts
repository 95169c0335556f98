import { language } from '../shell/language.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns an API time as text in the browser's zone, with seconds and the zone. */
export const momentLabel = (at: string): string => {
  const locale = language.value;
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });
  formats.set(locale, format);
  return format.format(Date.parse(`${at}Z`));
};
