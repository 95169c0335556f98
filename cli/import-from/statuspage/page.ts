import type { Fields } from '../../../domain/fields.ts';
import { isDomain, isSubdomain } from '../../../domain/page/names.ts';
import { MAX_LINE, MAX_NAME, MAX_SHORT_TEXT, MAX_TEXT } from '../../../domain/page/rules.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import { zoneOf } from './time-zones.ts';
import type { Remarks } from '../remarks.ts';
import { booleanOf, cut, textOf } from './values.ts';

const SWITCHES = [
  'allow_page_subscribers',
  'allow_incident_subscribers',
  'allow_email_subscribers',
  'allow_sms_subscribers',
  'allow_webhook_subscribers',
  'allow_rss_atom_feeds',
  'hidden_from_search',
  'viewers_must_be_team_members',
] as const;

const TEXTS: Readonly<Record<string, number>> = {
  page_description: MAX_TEXT,
  headline: MAX_LINE,
  city: MAX_SHORT_TEXT,
  state: MAX_SHORT_TEXT,
  country: MAX_SHORT_TEXT,
  notifications_email_footer: MAX_TEXT,
};

const COLOURS = [
  'css_body_background_color',
  'css_border_color',
  'css_font_color',
  'css_graph_color',
  'css_light_font_color',
  'css_link_color',
  'css_no_data',
  'css_greens',
  'css_yellows',
  'css_oranges',
  'css_reds',
  'css_blues',
] as const;

const PICTURES = ['favicon_logo', 'hero_cover', 'transactional_logo', 'email_logo'] as const;

/** Maps the settings of a page. `name` is the name that its other objects refer to. */
export const pageFields = (page: Fields, name: string, remarks: Remarks): Fields => {
  const fields: Fields = {};
  for (const one of SWITCHES) if (booleanOf(page[one]) !== null) fields[one] = page[one];
  for (const [one, length] of Object.entries(TEXTS)) {
    const text = textOf(page[one]);
    if (text !== null) fields[one] = cut(text, length);
  }
  for (const one of COLOURS) {
    const colour = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(textOf(page[one]) ?? '')?.[1];
    if (colour !== undefined) fields[one] = `#${colour}`;
  }
  const sender = textOf(page['notifications_from_email']);
  if (sender !== null && sender.length <= MAX_SHORT_TEXT && /^[^\s@]+@[^\s@]+$/.test(sender)) {
    fields['notifications_from_email'] = sender;
  }
  const restrictions = textOf(page['ip_restrictions']);
  if (restrictions !== null) fields['ip_restrictions'] = restrictions.split(/[\s,]+/).join(',');
  Object.assign(fields, zoneFields(page, remarks), addressFields(page));
  remarkOn(page, remarks);
  return { name: cut(name, MAX_NAME), ...fields };
};

const zoneFields = ({ time_zone }: Fields, remarks: Remarks): Fields => {
  const text = textOf(time_zone);
  if (text === null) return {};
  const zone = isTimeZone(text) ? text : zoneOf(text);
  if (zone !== null) return { time_zone: zone };
  remarks.add(
    `The time zone "${text}" is unknown. Set time_zone of the page to the name of a zone, such as Europe/Berlin.`,
  );
  return {};
};

/**
 * Returns the addresses of a page. The public interface has only the address of the page itself, in `url`; in the other
 * one, `url` is the site of the company.
 */
const addressFields = (page: Fields): Fields => {
  const subdomain = textOf(page['subdomain']);
  const domain = textOf(page['domain']);
  if ('subdomain' in page || 'domain' in page) {
    return {
      ...(subdomain !== null && isSubdomain(subdomain) && { subdomain: subdomain.toLowerCase() }),
      ...(domain !== null && isDomain(domain) && { domain: domain.toLowerCase() }),
      ...links(page, ['url', 'support_url']),
    };
  }
  const url = textOf(page['url']) ?? '';
  if (!URL.canParse(url)) return {};
  const { hostname, pathname } = new URL(url);
  const below = /^\/status\/([^/]+)\/?$/.exec(pathname)?.[1];
  if (below !== undefined) return isSubdomain(below) ? { subdomain: below.toLowerCase() } : {};
  const own = /^([^.]+)\.statuspage\.io$/.exec(hostname)?.[1];
  if (own !== undefined) return isSubdomain(own) ? { subdomain: own } : {};
  return pathname === '/' && isDomain(hostname) ? { domain: hostname } : {};
};

const links = (page: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = textOf(page[name]) ?? '';
      const url = /^[a-z][a-z0-9+.-]*:/i.test(text) || text === '' ? text : `https://${text}`;
      return /^https?:\/\/[^/\s]\S*$/i.test(url) && url.length <= MAX_LINE ? [[name, url]] : [];
    }),
  );

const remarkOn = (page: Fields, remarks: Remarks): void => {
  const pictures = PICTURES.filter((one) => hasPicture(page[one]));
  if (pictures.length > 0) {
    remarks.add(
      `The pictures of the page (${pictures.join(', ')}) are on the servers of Statuspage. Put them on your own site and ` +
        'set company_logo, favicon_logo, hero_cover and email_logo of the page.',
    );
  }
  if (textOf(page['twitter_username']) !== null) {
    remarks.add('Uptrail posts nothing on X (Twitter). The feeds of the page can be connected to a service that does.');
  }
};

const hasPicture = (value: unknown): boolean =>
  textOf(value) !== null ||
  (typeof value === 'object' && value !== null && Object.values(value).some((one) => textOf(one)?.startsWith('http')));
