/** The byte order mark at the start of every CSV file. Without it, some spreadsheets misread non-ASCII letters. */
export const CSV_MARK = '\uFEFF';

/**
 * Spreadsheets treat cells starting with these characters as formulas, which can exfiltrate data (OWASP: CSV
 * injection). Such texts get a leading apostrophe, the formula mark. The pattern allows leading apostrophes, so that a
 * text such as `'=1` gets another apostrophe, and `withoutFormulaMark` restores the text correctly.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/;

/** Returns an RFC 4180 field. Only texts get a formula mark. Numbers are unchanged, even with a minus sign. */
const fieldOf = (value: string | number | null | undefined): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return value.toString();
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** Returns one RFC 4180 line. Texts that a spreadsheet would treat as a formula get a leading apostrophe. */
export const csvLine = (fields: readonly (string | number | null | undefined)[]): string =>
  `${fields.map(fieldOf).join(',')}\r\n`;

/** Restores the text of a field that `csvLine` wrote, by removing the formula mark. */
export const withoutFormulaMark = (field: string): string =>
  field.startsWith("'") && FORMULA.test(field) ? field.slice(1) : field;
