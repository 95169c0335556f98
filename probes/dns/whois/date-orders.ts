import type { DateOrder } from './dates.ts';
import { topLevelOf } from './registrable-domain.ts';

/** Top-level domains whose registries write (or wrote) dates such as 31/01/2027 or 31-01-2027, with the day first. */
const DAY_FIRST: ReadonlySet<string> = new Set([
  ...['fr', 'hk', 'il', 'im', 'lu', 'pf', 'pm', 'pt', 're', 'sm', 'tf', 'tn', 'ug', 'wf', 'yt'],
  // .hk and .il in their native scripts
  ...['xn--j6w193g', 'xn--4dbrk0ce'],
]);
/** Top-level domains whose registries write 01/31/2027. */
const MONTH_FIRST: ReadonlySet<string> = new Set(['cf', 'ga', 'gq', 'ml', 'tk']);

/** Returns `day` if the registry of a domain writes 4 December as 04/12, `month` for 12/04, and null if unknown. */
export const dateOrderOf = (domain: string): DateOrder | null => {
  const topLevel = topLevelOf(domain);
  if (DAY_FIRST.has(topLevel)) return 'day';
  return MONTH_FIRST.has(topLevel) ? 'month' : null;
};

/** Matches `Expiration Date (dd/mm/yyyy)`, `Expire (JJ/MM/AAAA)` */
const HINT = /\(\s*(dd|jj|mm)[-/.](mm|dd|jj)[-/.](?:yyyy|aaaa)\s*\)/i;

/** Returns the order of day and month that the name of a field states for its value; null if it states none. */
export const orderInKey = (key: string): DateOrder | null => {
  const [, first = '', second = ''] = HINT.exec(key.toLowerCase()) ?? [];
  if (first === second) return null;
  return first === 'mm' ? 'month' : 'day';
};
