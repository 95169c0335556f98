import type { TSchema } from '@sinclair/typebox';

/** Makes a value of a text that stands in a query or a form; one that is none stays a text, for the schema to refuse. */
export type Reading = (text: string) => unknown;

const READINGS: Record<string, Reading> = {
  // As in JSON, no zero and no plus stands before a number.
  integer: (text) => (/^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/** How one value of a schema's type is read. */
export const readingOf = (schema: TSchema): Reading => {
  const type: unknown = [schema['type']].flat().find((one) => one !== 'null');
  return READINGS[String(type)] ?? ((text) => text);
};
