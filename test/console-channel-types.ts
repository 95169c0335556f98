import { MASKED_TEXT } from '../domain/masking.ts';
import type { ChannelType } from '../notifiers/channels/channel-type.ts';
import { CHANNEL_TYPES } from '../notifiers/channels/index.ts';

/*
 * Generates console/api/channel-types.ts, which lists the fields of the console's alert channel form for each channel
 * type. The source is the configuration that each type declares, so a new type or field also appears in the form.
 */

const HEAD = `// Generated from notifiers/channels/ by \`npm run generate\`.

/** A field of a channel's configuration. */
export interface ChannelField {
  name: string;
  /** a text, one of several options, a list of texts, or name-value pairs */
  kind: 'text' | 'choice' | 'list' | 'pairs';
  /** the options of a choice */
  options: readonly string[];
  isRequired: boolean;
  /** whether the stored value is never shown again */
  isSecret: boolean;
  /** the default; null: none */
  usual: string | null;
}

/** The configuration fields of each channel type, in documented order. */
export const CHANNEL_TYPES = `;

type Property = Readonly<Record<string, unknown>>;

const kindOf = ({ type, enum: words }: Property): 'text' | 'choice' | 'list' | 'pairs' => {
  if (Array.isArray(words)) return 'choice';
  if (type === 'array') return 'list';
  if (type === 'object') return 'pairs';
  if ([type].flat().includes('string')) return 'text';
  throw new Error(`The console has no field for the type ${String(type)}.`);
};

const fieldsOf = (type: ChannelType): object[] => {
  const missing = new Set<string>();
  const usual = type.read({}, null, (field) => missing.add(field));
  return Object.entries(type.configuration.properties).map(([name, schema]) => {
    const property = schema as Property;
    const sealed = type.sealed[name];
    const text = 'https://example.com/text';
    const given = usual[name];
    return {
      name,
      kind: kindOf(property),
      options: Array.isArray(property['enum']) ? (property['enum'] as string[]) : [],
      isRequired: missing.has(name),
      isSecret: sealed !== undefined && sealed.format(text, true) !== text,
      usual: typeof given === 'string' && !missing.has(name) && given !== MASKED_TEXT ? given : null,
    };
  });
};

/** Formats a value as Prettier does in a file with single quotes. Supports only the values that this table contains. */
const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  return typeof value === 'string' ? `'${value}'` : String(value);
};

const WIDTH = 120;

const objectText = (field: object): string =>
  `{ ${Object.entries(field)
    .map(([name, value]) => `${name}: ${literal(value)}`)
    .join(', ')} }`;

/** Formats a field on one line, or on several lines if it is too long. */
const linesOf = (field: object): string => {
  const short = `    ${objectText(field)},`;
  if (short.length <= WIDTH) return short;
  const parts = Object.entries(field).map(([name, value]) => `      ${name}: ${literal(value)},`);
  return ['    {', ...parts, '    },'].join('\n');
};

const entryOf = (name: string, fields: readonly object[]): string => {
  const short = `  ${name}: [${fields.map(objectText).join(', ')}],`;
  return fields.length === 1 && short.length <= WIDTH ? short : `  ${name}: [\n${fields.map(linesOf).join('\n')}\n  ],`;
};

/** Returns the content of `console/api/channel-types.ts`. */
export const consoleChannelTypes = (): string => {
  const types = CHANNEL_TYPES.map((type) => entryOf(type.name, fieldsOf(type)));
  return `${HEAD}{\n${types.join('\n')}\n} as const satisfies Readonly<Record<string, readonly ChannelField[]>>;\n`;
};
