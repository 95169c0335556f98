import type { DateOrder } from './dates.ts';
import { topLevelOf } from './domain.ts';

/** Registries that write, or wrote, day and month as numbers with slashes or dashes between them. */
const DAY_FIRST: ReadonlySet<string> = new Set([
  ...['fr', 'hk', 'il', 'im', 'lu', 'pf', 'pm', 'pt', 're', 'sm', 'tf', 'tn', 'ug', 'wf', 'yt'],
  // .hk and .il in their own scripts
  ...['xn--j6w193g', 'xn--4dbrk0ce'],
]);
const MONTH_FIRST: ReadonlySet<string> = new Set(['cf', 'ga', 'gq', 'ml', 'tk']);

/** How the registry of a domain writes 4 December as numbers; null if that is not known, so that nobody guesses. */
export const dateOrderOf = (domain: string): DateOrder | null => {
  const topLevel = topLevelOf(domain);
  if (DAY_FIRST.has(topLevel)) return 'day';
  return MONTH_FIRST.has(topLevel) ? 'month' : null;
};

/** `Expiration Date (dd/mm/yyyy)`, `Expire (JJ/MM/AAAA)` */
const HINT = /\(\s*(dd|jj|mm)[-/.](mm|dd|jj)[-/.](?:yyyy|aaaa)\s*\)/i;

/** What the name of a field says about the order in its value; null if nothing. */
export const orderInKey = (key: string): DateOrder | null => {
  const [, first = '', second = ''] = HINT.exec(key.toLowerCase()) ?? [];
  if (first === second) return null;
  return first === 'mm' ? 'month' : 'day';
};
