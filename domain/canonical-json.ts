/**
 * Returns JSON with sorted object keys, so that equal values give equal text. Keys that are integers come first. This
 * order must not change, because stored results contain hashes of this text. For hashes that other programs must
 * reproduce, use {@link jcs}.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, withSortedKeys);
const withSortedKeys = (_key: string, value: unknown): unknown => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** Returns the canonical JSON of RFC 8785 (JCS) for a value that was parsed from JSON. */
export const jcs = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  const fields = value as Record<string, unknown>;
  let text = '';
  // RFC 8785 sorts by UTF-16 code units.
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field !== undefined) text += `${text === '' ? '' : ','}${quoted(key)}:${jcs(field)}`;
  }
  return `{${text}}`;
};

/** Characters that JSON escapes: quotation marks, backslashes, control characters and surrogates. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Most texts need no escaping, and this test is much faster than JSON.stringify. */
const quoted = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);
