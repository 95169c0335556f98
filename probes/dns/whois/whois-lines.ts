import type { DateOrder } from './dates.ts';
import { orderInKey } from './date-orders.ts';

/** A field of a WHOIS response. */
export interface Line {
  /** the heading above the line, in lower case; empty if there is none */
  section: string;
  /** in lower case, without the dots before the value */
  key: string;
  value: string;
  /** the order of day and month in the value, if the key states one (`Expiration Date (dd/mm/yyyy)`) */
  order: DateOrder | null;
}

/** Matches `[Expires on]   2027/01/31`, `a. [Domain Name]   EXAMPLE.JP`, `d [Record Expired]   31-JAN-2027` */
const BRACKETED = /^\s*(?:[a-z]\.?\s+)?\[([^\]]{1,60})\]\s*(.*)$/;
/** Matches `Record expires on 2027-01-31 (YYYY-MM-DD)`, `Record expires on Sun Jan 31 23:59:00 2027` */
const RECORD = /^\s*(record (?:expires|created|last updated) on)\s+(\d.*|(?:mon|tue|wed|thu|fri|sat|sun)\s.*)$/i;
/** Matches `Expires on      2027-05-05`: two columns, without a colon */
const COLUMNS = /^(domain {1,2}name|domain state|registrar|registered|created|updated|expires(?: on)?) {2,}(\S.*)$/i;
/** Matches lines without data. */
const COMMENT = /^\s*(?:[%#>]|\/\/|--)/;
const MAX_LINES = 2_000;
/** Maximum number of characters that are parsed of a line, to bound the cost. Values shown are much shorter. */
const MAX_LINE = 1_000;
/** Maximum number of characters before the colon of a field, including dots and white space. */
const MAX_KEY = 100;

/**
 * Parses the fields of a response. WHOIS has no format: registries write `key: value`, `[key] value`, the value behind
 * the key and some dots, or the value on the line below its key.
 */
export const linesOf = (text: string): Line[] => {
  const lines: Line[] = [];
  let section = '';
  /** a key whose value may be on the next line */
  let open: (Pick<Line, 'order'> & { name: string }) | null = null;
  for (const whole of text.split(/\r\n|[\r\n\u2028\u2029]/, MAX_LINES)) {
    const line = whole.slice(0, MAX_LINE);
    if (line.trim() === '' || COMMENT.test(line)) continue;
    const [, key = '', value = ''] = fieldOf(line);
    if (key === '') {
      const content = line.trim();
      if (open !== null) lines.push({ section, key: open.name, value: content, order: open.order });
      // The line is a heading without a colon, as whois.nic.it sends.
      else if (!/^\s/.test(line)) section = content.toLowerCase();
      open = null;
      continue;
    }
    const order = orderInKey(key);
    const name = nameOf(key);
    if (value === '') {
      section = name;
      open = { name, order };
      continue;
    }
    lines.push({ section, key: name, value, order });
    open = null;
  }
  return lines;
};

/** Removes a trailing remark in brackets. */
const withoutRemark = (text: string): string => {
  if (!text.endsWith(')')) return text;
  const opening = text.indexOf('(', text.lastIndexOf(')', text.length - 2) + 1);
  return opening < 0 ? text : text.slice(0, opening);
};

/** Returns the English part of a key, in lower case, without remarks about the format of its value. */
const nameOf = (key: string): string =>
  withoutRemark(key.replace(/^[*\s]+/, '').trimEnd())
    .replace(/^.* \/ /, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

const fieldOf = (line: string): readonly string[] => {
  const found = BRACKETED.exec(line) ?? RECORD.exec(line) ?? COLUMNS.exec(line);
  if (found) return [line, found[1] ?? '', (found[2] ?? '').trim()];
  // `Registry Expiry Date: 2027-01-31T12:00:00Z`, `expires............: 31.1.2027`
  const colon = line.indexOf(':');
  const before = line.slice(0, Math.max(colon, 0)).trim();
  const after = line.slice(colon + 1);
  // `http://…` is not a field.
  if (before.length > MAX_KEY || after.startsWith('//')) return [line, '', ''];
  return [line, before.replace(/[\s.]+$/, ''), after.replace(/^[\s.]+/, '').trimEnd()];
};
