import { words } from '../../shell/language.ts';

const named = (names: object, name: string): string | undefined => (names as Readonly<Record<string, string>>)[name];

/** Returns the name of a channel type; types without a translation are shown as the API names them. */
export const typeName = (type: string): string => named(words.value.alertChannels.types, type) ?? type;

/** Returns the label of a configuration field; fields without a translation are shown as the API names them. */
export const fieldName = (field: string): string => named(words.value.alertChannels.fields, field) ?? field;

/** Returns the hint of a field, or undefined if there is none. */
export const fieldHint = (field: string): string | undefined => named(words.value.alertChannels.hints, field);
