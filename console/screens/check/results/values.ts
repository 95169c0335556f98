/* Metadata of results comes from targets, scripts and runners of any release: every field may be missing or have
   another type. These functions read metadata without throwing. */

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the objects in a list, without its other items. */
export const rowsOf = (value: unknown): Fields[] =>
  listOf(value).flatMap((one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) ? [one as Fields] : [],
  );

/** Returns a text, number or boolean as text. Returns null for any other value and for an empty text. */
export const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
};

export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Returns the texts in a list. */
export const textsOf = (value: unknown): string[] => listOf(value).flatMap((one) => textOf(one) ?? []);

/** Returns a URL if it is safe to link to, that is, if its scheme is http or https. Otherwise returns null. */
export const linkOf = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
};
