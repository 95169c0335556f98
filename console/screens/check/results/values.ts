/*
 * Metadata of results comes from targets, scripts and runners of any release: every field may be missing or be
 * something else. These read it without failing.
 */

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Objects of a list; others are left out. */
export const rowsOf = (value: unknown): Fields[] =>
  listOf(value).flatMap((one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) ? [one as Fields] : [],
  );

/** A text, or a number or truth value as a text; null: it is none of these, or empty. */
export const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
};

export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Texts of a list. */
export const textsOf = (value: unknown): string[] => listOf(value).flatMap((one) => textOf(one) ?? []);

/** An address that may be a link: http and https alone. */
export const linkOf = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
};
