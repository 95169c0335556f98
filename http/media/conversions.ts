import type { TSchema } from '@sinclair/typebox';

/**
 * Converts a text from a query or form to a value. An invalid text is returned unchanged, so that the schema refuses
 * it.
 */
export type Conversion = (text: string) => unknown;

const READINGS: Record<string, Conversion> = {
  // As in JSON, numbers have no leading zeros and no plus sign.
  integer: (text) => (/^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/** Returns the conversion for values of a schema. */
export const conversionOf = (schema: TSchema): Conversion => {
  const type: unknown = [schema['type']].flat().find((one) => one !== 'null');
  return READINGS[String(type)] ?? ((text) => text);
};
