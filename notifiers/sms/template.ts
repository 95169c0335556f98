/** The values of a message, by the names of their placeholders. */
export interface SmsValues {
  /** phone number: `+491711234567` */
  to: string;
  text: string;
  /** id that is the same for all attempts of one message, so that the gateway can recognise repetitions */
  id: string;
}

const PLACES = /\{(to|text|id)\}/g;

/** A function that escapes a value for the place where it is inserted. */
type Escape = (value: string) => string;

const inJson: Escape = (value) => JSON.stringify(value).slice(1, -1);
const inForm: Escape = (value) => new URLSearchParams([['', value]]).toString().slice(1);
const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const inXml: Escape = (value) => value.replace(/[&<>"']/g, (character) => XML[character] ?? character);
const asItIs: Escape = (value) => value;

/** Returns the function that escapes values for a content type. */
const escapeFor = (contentType: string): Escape => {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || type.endsWith('+json')) return inJson;
  if (type === 'application/x-www-form-urlencoded') return inForm;
  return /[/+]xml$/.test(type) ? inXml : asItIs;
};

const filled = (template: string, values: SmsValues, escape: Escape): string =>
  template.replace(PLACES, (_, place: keyof SmsValues) => escape(values[place]));

/** Fills in the URL of a message. */
export const urlFor = (template: string, values: SmsValues): URL =>
  new URL(filled(template, values, encodeURIComponent));

/** Fills in the body of a message. Escapes each value as the content type requires. */
export const bodyFor = (template: string, values: SmsValues, contentType: string): string =>
  filled(template, values, escapeFor(contentType));

/** Returns whether a template contains a placeholder. */
export const hasPlaceholder = (template: string, place: keyof SmsValues): boolean => template.includes(`{${place}}`);
