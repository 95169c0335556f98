import { Invalid } from '../errors.ts';
import { isAddressOrRange } from '../target/address-range.ts';
import { isTimeZone } from '../time-zone.ts';
import type { PageFields } from './fields.ts';
import { isLanguage } from './languages.ts';
import { isDomain, isSubdomain } from './names.ts';
import { isOrigin, MAX_ORIGINS, ORIGIN_SENTENCE } from './origins.ts';

/** A rule for texts, with an error message. */
export interface TextRule {
  test: (text: string) => boolean;
  /** a regular expression for the API schema, which matches every valid text; absent if the schema needs no pattern */
  pattern?: string;
  sentence: string;
}

/** Maximum lengths of a page's texts (docs/reference/pages.md#fields). */
export const MAX_NAME = 100;
export const MAX_SHORT_TEXT = 100;
export const MAX_LINE = 200;
export const MAX_TEXT = 10_000;

const subdomain: TextRule = {
  test: isSubdomain,
  pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,61}[A-Za-z0-9]$',
  sentence: 'Must be 2 to 63 letters a to z, digits and hyphens, with no hyphen at either end.',
};
const domain: TextRule = { test: isDomain, sentence: 'Must be a host name.' };
const language: TextRule = {
  test: isLanguage,
  pattern: '^[a-z]{2}$',
  sentence: 'Must be a language code of ISO 639-1, such as en.',
};
const timeZone: TextRule = { test: isTimeZone, sentence: 'Must be an IANA time zone, such as Europe/Moscow.' };
const addresses: TextRule = {
  test: (text) => text.split(',').every((part) => isAddressOrRange(part.trim())),
  sentence: 'Must be a comma-separated list of IP addresses and CIDR ranges.',
};
const COLOR = '^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$';
const color: TextRule = {
  test: (text) => new RegExp(COLOR).test(text),
  pattern: COLOR,
  sentence: 'Must be a colour such as #RRGGBB or #RGB.',
};

/**
 * The rules for fields of a page, in addition to type and length. Routes apply these rules too, so that one response
 * reports all errors.
 */
export const PAGE_RULES = {
  subdomain,
  domain,
  language,
  time_zone: timeZone,
  ip_restrictions: addresses,
  css_body_background_color: color,
  css_border_color: color,
  css_button_border_color: color,
  css_button_color: color,
  css_button_hover_color: color,
  css_button_text_color: color,
  css_font_color: color,
  css_graph_color: color,
  css_light_font_color: color,
  css_link_color: color,
  css_no_data: color,
  css_spinner_color: color,
} as const satisfies Partial<Record<keyof PageFields, TextRule>>;

/**
 * Requires that all fields follow the rules.
 *
 * @throws Invalid with an error for every invalid field
 */
export const checkPageFields = (fields: Partial<PageFields>): void => {
  const broken: Record<string, string[]> = {};
  for (const [field, rule] of Object.entries(PAGE_RULES)) {
    const value = fields[field as keyof typeof PAGE_RULES];
    if (typeof value === 'string' && !rule.test(value)) broken[field] = [rule.sentence];
  }
  const { allow_embedding: origins } = fields;
  if (origins && origins.length > MAX_ORIGINS) {
    broken['allow_embedding'] = [`Must have at most ${MAX_ORIGINS} origins.`];
  }
  origins?.forEach((origin, index) => {
    if (!isOrigin(origin)) broken[`allow_embedding.${index}`] = [ORIGIN_SENTENCE];
  });
  if (Object.keys(broken).length > 0) throw new Invalid({ json: broken });
};
