import { isFieldName, isFieldValue } from '../../network/header-fields.ts';

/**
 * Parses headers in the form `name=value,name=value` with percent-encoded values, as OpenTelemetry defines it. The
 * error message omits the values, because they are secret.
 */
export const otlpHeaders = (value: string): Readonly<Record<string, string>> => {
  const entries = value.split(',').filter((entry) => entry.trim() !== '');
  return Object.fromEntries(entries.map((entry, index) => parseEntry(entry, index + 1)));
};

const parseEntry = (entry: string, number: number): [name: string, value: string] => {
  const equals = entry.indexOf('=');
  const name = entry.slice(0, Math.max(0, equals)).trim();
  const value = decoded(entry.slice(equals + 1).trim());
  if (equals < 0 || !isFieldName(name) || value === null || !isFieldValue(value)) {
    throw new Error(`must be name=value, separated by commas, with percent-encoded values; entry ${number} is not.`);
  }
  return [name, value];
};

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};
