/** Begins every CSV: a byte order mark, since some spreadsheets would not read Cyrillic without. */
export const CSV_MARK = '\uFEFF';

/**
 * Spreadsheets take cells that begin so for formulas, which may send data away (OWASP: CSV injection). With apostrophes
 * before it, it is one that is marked already: another mark tells it from a text that was not.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/;

/** A field of RFC 4180. Only texts can be formulas: a number with a minus is one. */
const fieldOf = (value: string | number | null | undefined): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return value.toString();
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** One line of RFC 4180, in UTF-8. A text that a spreadsheet would take for a formula begins with an apostrophe. */
export const csvLine = (fields: readonly (string | number | null | undefined)[]): string =>
  `${fields.map(fieldOf).join(',')}\r\n`;

/** The text of a field that `csvLine` has written, without the mark of a formula. */
export const unmarked = (field: string): string =>
  field.startsWith("'") && FORMULA.test(field) ? field.slice(1) : field;
