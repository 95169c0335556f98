import type { TSchema } from '@sinclair/typebox';

/** Converts a text of a query or a form to a value; a text that can't be converted stays, for the schema to refuse. */
export type Reading = (text: string) => unknown;

const READINGS: Record<string, Reading> = {
  // As in JSON, numbers have no leading zero and no plus sign.
  integer: (text) => (/^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/** How one value of a schema's type is read. */
export const readingOf = (schema: TSchema): Reading => {
  const type: unknown = [schema['type']].flat().find((one) => one !== 'null');
  return READINGS[String(type)] ?? ((text) => text);
};
