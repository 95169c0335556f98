import { words } from '../../shell/language.ts';

const named = (names: object, name: string): string | undefined => (names as Readonly<Record<string, string>>)[name];

/** Returns the translated name of a channel type, or the API's name if there is no translation. */
export const typeName = (type: string): string => named(words.value.alertChannels.types, type) ?? type;

/** Returns the translated label of a configuration field, or the API's name if there is no translation. */
export const fieldName = (field: string): string => named(words.value.alertChannels.fields, field) ?? field;

/** Returns the hint of a field, or undefined if there is none. */
export const fieldHint = (field: string): string | undefined => named(words.value.alertChannels.hints, field);
