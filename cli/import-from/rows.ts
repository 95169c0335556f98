import { isFields } from '../../domain/fields.ts';
import { grouped } from '../../domain/grouped.ts';

/** A row of a table. Its values come from outside and may be of any type. */
export type Row = Readonly<Record<string, unknown>>;

/** Returns a text; an empty text if the row has none. */
export const text = (row: Row, column: string): string => {
  const value = row[column];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
};

/** Returns a finite number, or null if the row has none. */
export const number = (row: Row, column: string): number | null => {
  const value = row[column];
  if (typeof value === 'boolean') return Number(value);
  const digits = text(row, column).trim();
  return digits !== '' && Number.isFinite(Number(digits)) ? Number(digits) : null;
};

/** Whether a switch is on. An absent switch has its default. */
export const isOn = (row: Row, column: string, byDefault = false): boolean => {
  const value = number(row, column);
  return value === null ? byDefault : value !== 0;
};

/** Returns a key as text, so that keys of a database (numbers) and of a backup (texts) compare. */
export const key = (row: Row, column: string): string => text(row, column).trim();

/** Parses JSON in a column. Returns null if the column is empty or is no JSON. */
export const json = (row: Row, column: string): unknown => {
  const value = row[column];
  if (typeof value !== 'string') return value ?? null;
  return parsed(value);
};

/** Parses JSON. Returns null for a text that is no JSON. */
export const parsed = (value: string): unknown => {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return null;
  }
};

export const isRow: (value: unknown) => value is Row = isFields;

/** Groups rows by a column. */
export const rowsBy = (rows: readonly Row[], column: string): ReadonlyMap<string, readonly Row[]> =>
  grouped(rows, (row) => key(row, column));
