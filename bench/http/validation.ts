/** Measures how long the worst request body of each route blocks the service until the response is ready. */
import type { TSchema } from '@sinclair/typebox';
import { prepareError } from '../../http/response.ts';
import { MAX_BODY_BYTES } from '../../http/body.ts';
import { MAX_VALUES } from '../../http/media/json-bounds.ts';
import { MAX_FIELDS, parseJson } from '../../http/media/json-body.ts';
import { bodyErrors, operationsOf } from '../../http/routes/operation.ts';
import { Invalid } from '../../domain/errors.ts';
import type { Route } from '../../api/route.ts';
import { v1Routes } from '../../api/v1/index.ts';
import type { Row } from '../tools/table.ts';

const ROUNDS = 3;
const ROOM = MAX_BODY_BYTES - 10_000;

export const bench = async (): Promise<Row[]> => {
  const times = v1Routes.flatMap((route) => (route.body ? [worstOf(route)] : []));
  times.sort((one, other) => other.milliseconds - one.milliseconds);
  return times.slice(0, 3).map(({ route, kind, milliseconds }) => ({
    what: `worst body of ${route.methods.join('/').toUpperCase()} ${route.path}: ${kind}`,
    figure: `${milliseconds.toFixed(1)} ms`,
    aim: '< 50 ms of CPU',
  }));
};

interface Worst {
  route: Route;
  kind: string;
  milliseconds: number;
}

const worstOf = (route: Route): Worst => {
  const [entry] = operationsOf(route);
  if (!entry) throw new Error(`${route.path} has no methods.`);
  const [, operation] = entry;
  const respond = (bytes: Buffer): void => {
    try {
      const json = bodyErrors(operation, parseJson(bytes), undefined);
      if (json) throw new Invalid({ json });
    } catch (error) {
      prepareError(error);
    }
  };
  let worst: Worst = { route, kind: 'none', milliseconds: 0 };
  for (const [kind, bytes] of bodies(route.body as TSchema)) {
    if (bytes.length > MAX_BODY_BYTES) continue;
    const milliseconds = Math.min(...Array.from({ length: ROUNDS }, () => timed(respond, bytes)));
    if (milliseconds > worst.milliseconds) worst = { route, kind, milliseconds };
  }
  return worst;
};

/**
 * Returns the CPU time in milliseconds, which depends less on other load on the machine than the wall-clock time does.
 */
const timed = (respond: (bytes: Buffer) => void, bytes: Buffer): number => {
  const before = process.cpuUsage();
  respond(bytes);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/**
 * Yields bodies that are invalid in as many places as possible, and bodies with texts that are expensive to validate.
 */
function* bodies(schema: TSchema): Generator<[string, Buffer]> {
  const asJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  for (const [kind, value] of WRONG) {
    for (const share of [1, 0.9]) yield [kind, asJson(filled(schema, MAX_VALUES * share, () => value))];
  }
  for (const [kind, text] of HARD) {
    const properties = (schema['properties'] ?? {}) as Record<string, TSchema>;
    for (const name of Object.keys(properties)) {
      if (isText(properties[name] as TSchema)) yield [`${kind} in ${name}`, asJson({ [name]: text(ROOM) })];
    }
    // 250 is the maximum length of many fields.
    for (const length of [250, 8_000]) {
      yield [`${kind} in all fields`, asJson(filled(schema, Math.floor(ROOM / length / 3), () => text(length)))];
    }
  }
  const nothing = Array.from({ length: 19_000 }, () => '\0');
  yield ['texts with NUL', asJson({ unknown: nothing })];
  yield ['unknown fields', asJson(Object.fromEntries(nothing.slice(0, MAX_FIELDS).map((_, n) => [`unknown${n}`, {}])))];
}

/**
 * Creates a value that has the structure of a schema. The value has at most `budget` leaves, that is, values other than
 * lists and objects. `leaf` returns each leaf.
 */
const filled = (schema: TSchema, budget: number, leaf: () => unknown): unknown => {
  const { properties, items, maxItems, additionalProperties } = schema as TSchema & {
    properties?: Record<string, TSchema>;
    items?: TSchema;
    maxItems?: number;
    additionalProperties?: TSchema | boolean;
  };
  if (items) {
    const count = Math.max(1, Math.min(maxItems ?? budget, budget / 2));
    return Array.from({ length: count }, () => filled(items, budget / count - 1, leaf));
  }
  if (typeof additionalProperties === 'object') {
    const count = Math.min(MAX_FIELDS, budget);
    return Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`k${index}`, filled(additionalProperties, 1, leaf)]),
    );
  }
  if (!properties) return leaf();
  const large = Object.keys(properties).filter((name) => isLarge(properties[name] as TSchema)).length;
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      filled(property, isLarge(property) ? (budget - 100) / large : 1, leaf),
    ]),
  );
};

/** Returns whether a schema contains lists or maps at any depth. */
const isLarge = (schema: TSchema): boolean =>
  schema['items'] !== undefined ||
  typeof schema['additionalProperties'] === 'object' ||
  Object.values((schema['properties'] ?? {}) as Record<string, TSchema>).some(isLarge);

const isText = ({ type }: TSchema & { type?: unknown }): boolean => [type].flat().includes('string');

const WRONG: [string, unknown][] = [
  ['invalid words', 'x'],
  ['numbers', -1.5],
  ['empty objects', {}],
  ['empty lists', []],
  ['null', null],
];

/** Returns a text of ideographs. The first 20,000 of them are all different. */
const ideographs = (bytes: number): string =>
  Array.from({ length: bytes / 3 }, (_, index) => String.fromCodePoint(0x4e00 + (index % 20_000))).join('');

const HARD: [string, (bytes: number) => string][] = [
  ['ideographs', ideographs],
  ['a URL of ideographs', (bytes) => `https://${ideographs(bytes)}/`],
  ['an address with many labels', (bytes) => `a@${'a.'.repeat(bytes / 2)}`],
  ['hyphens', (bytes) => `a${'-'.repeat(bytes)}`],
  ['digits', (bytes) => '1'.repeat(bytes)],
  ['a list of numbers', (bytes) => '1d, '.repeat(bytes / 4)],
  ['a list of ranges', (bytes) => `${'1-1,'.repeat(bytes / 4)}x`],
  ['blanks', (bytes) => `2026-01-01${' '.repeat(bytes)}x`],
  ['combining marks', (bytes) => '\u0300\u0316'.repeat(bytes / 4)],
];
