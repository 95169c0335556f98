import { words } from '../../shell/language.ts';

const named = (names: object, name: string): string | undefined => (names as Readonly<Record<string, string>>)[name];

/** The name of a type of channels; one that has no words yet is shown as the API calls it. */
export const typeName = (type: string): string => named(words.value.alertChannels.types, type) ?? type;

/** The label of a field of a configuration, likewise. */
export const fieldName = (field: string): string => named(words.value.alertChannels.fields, field) ?? field;

/** What a field may be; undefined: its label says enough. */
export const fieldHint = (field: string): string | undefined => named(words.value.alertChannels.hints, field);
