/**
 * JSON with the keys of objects sorted, so equal values give equal text. Keys that are whole numbers come first: results
 * hold hashes of this text, so that stays. What others have to compute too is written by {@link jcs}.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, inOrder);

const inOrder = (_key: string, value: unknown): unknown => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** The canonical form of JSON that RFC 8785 describes (JCS), of a value that was read from JSON. */
export const jcs = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  const fields = value as Record<string, unknown>;
  let text = '';
  // By UTF-16 code units, as RFC 8785 says.
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field !== undefined) text += `${text === '' ? '' : ','}${quoted(key)}:${jcs(field)}`;
  }
  return `{${text}}`;
};

/** What JSON writes in another way than it is: quotation marks, backslashes, controls and halves of characters. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Most texts need no escape, and looking for one is many times as fast as escaping. */
const quoted = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);
