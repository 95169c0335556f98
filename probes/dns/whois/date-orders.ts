import type { DateOrder } from './dates.ts';
import { topLevelOf } from './registrable-domain.ts';

/** Registries that write (or wrote) day and month as numbers separated by slashes or dashes, day first. */
const DAY_FIRST: ReadonlySet<string> = new Set([
  ...['fr', 'hk', 'il', 'im', 'lu', 'pf', 'pm', 'pt', 're', 'sm', 'tf', 'tn', 'ug', 'wf', 'yt'],
  // .hk and .il in their native scripts
  ...['xn--j6w193g', 'xn--4dbrk0ce'],
]);
const MONTH_FIRST: ReadonlySet<string> = new Set(['cf', 'ga', 'gq', 'ml', 'tk']);

/** Whether the registry of a domain writes the day or the month of 4 December first; null if unknown. */
export const dateOrderOf = (domain: string): DateOrder | null => {
  const topLevel = topLevelOf(domain);
  if (DAY_FIRST.has(topLevel)) return 'day';
  return MONTH_FIRST.has(topLevel) ? 'month' : null;
};

/** `Expiration Date (dd/mm/yyyy)`, `Expire (JJ/MM/AAAA)` */
const HINT = /\(\s*(dd|jj|mm)[-/.](mm|dd|jj)[-/.](?:yyyy|aaaa)\s*\)/i;

/** The order that a field's name states for its value; null if it states none. */
export const orderInKey = (key: string): DateOrder | null => {
  const [, first = '', second = ''] = HINT.exec(key.toLowerCase()) ?? [];
  if (first === second) return null;
  return first === 'mm' ? 'month' : 'day';
};
