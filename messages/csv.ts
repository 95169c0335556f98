/** Starts every CSV file: a byte order mark, without which some spreadsheets misread Cyrillic. */
export const CSV_MARK = '\uFEFF';

/**
 * Spreadsheets treat cells starting with these characters as formulas, which can exfiltrate data (OWASP: CSV
 * injection). The pattern includes leading apostrophes, so that a text that already starts with an apostrophe gets
 * another one and `withoutFormulaMark` can restore it.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/;

/** Returns an RFC 4180 field. Only texts can be formulas: a number with a minus sign is not changed. */
const fieldOf = (value: string | number | null | undefined): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return value.toString();
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** One RFC 4180 line in UTF-8. Texts that a spreadsheet would treat as a formula get a leading apostrophe. */
export const csvLine = (fields: readonly (string | number | null | undefined)[]): string =>
  `${fields.map(fieldOf).join(',')}\r\n`;

/** Restores the text of a field that `csvLine` wrote, by removing the formula mark. */
export const withoutFormulaMark = (field: string): string =>
  field.startsWith("'") && FORMULA.test(field) ? field.slice(1) : field;
