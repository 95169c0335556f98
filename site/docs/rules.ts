import type { Schema } from './openapi.ts';

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 10 });

const range = (from: number | undefined, to: number | undefined, unit = ''): string | null => {
  const of = unit === '' ? '' : ` ${unit}`;
  const isUsual = from === undefined || (from === 0 && unit !== '');
  // A maximum that is the largest exact integer has technical reasons and means nothing to readers, so it is not shown.
  if (to === undefined || to >= Number.MAX_SAFE_INTEGER) return isUsual ? null : `at least ${number(from)}${of}`;
  if (isUsual) return `at most ${number(to)}${of}`;
  return from === to ? `exactly ${number(from)}${of}` : `${number(from)} to ${number(to)}${of}`;
};

/** Rules that are not listed, because the type of the value already implies them (types.ts). */
const IMPLIED_BY_TYPE = [
  'Must be an identifier.',
  'Must be an ISO 8601 time such as 2026-11-20T15:04:05Z, or a date such as 2026-11-20.',
];
/** Matches error messages that do not state a rule. */
const NO_RULE = /^(?:Is|Are) not /;

const sentence = ({ 'x-rule': rule }: Schema): string | null => {
  if (rule === undefined || IMPLIED_BY_TYPE.includes(rule) || NO_RULE.test(rule)) return null;
  const [first = '', ...rest] = rule.replace(/\.$/, '');
  return first.toLowerCase() + rest.join('');
};

/** Returns the constraints of a schema besides its type, in words. */
export const rulesOf = (schema: Schema): string[] => {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems, maxProperties } = schema;
  const own = [
    range(minLength, maxLength, 'characters'),
    range(minimum, maximum),
    exclusiveMinimum === undefined ? null : `more than ${number(exclusiveMinimum)}`,
    range(minItems, maxItems, 'items'),
    range(undefined, maxProperties, 'entries'),
    schema.uniqueItems === true ? 'no item twice' : null,
    sentence(schema),
  ].filter((rule) => rule !== null);
  const { items } = schema;
  const ofItems = items && !items.$ref ? rulesOf(items).map((rule) => `each: ${rule}`) : [];
  return [...own, ...ofItems];
};
