import type { Document, FieldCondition, Query, Scalar, Where } from '../../../stores/read-store/port.ts';
import type { Random } from '../random.ts';

const STRINGS = [
  ...['', ' ', 'a', 'A', 'aa', 'ab', 'b', 'B', '0', '1', '10', '2', 'true', 'null', 'abc def', 'ABC DEF'],
  ...["'", '"', '%', '_', '\\', '100%', 'a_b', "Robert'); DROP TABLE x;--", '$', '^a.*b$', '[a]', '(', '{"a":1}'],
  ...['é', 'É', 'e\u0301', 'Ж', 'ж', 'ς', 'σ', 'Σ', 'Straße', 'STRASSE', 'ß', '\u00ff', '\u0800', '\ue000', '\ufffd'],
  ...['\u{10000}', '\u{1f600}', 'a\u{1f600}b', '\u{10ffff}', '\u2028', '\t', 'line\nbreak'],
  ...['2026-11-20T15:04:05.123000', '2026-11-20T15:04:05.123001', '2025-01-01T00:00:00.000000'],
];
const NUMBERS = [0, 1, -1, 2, 10, 0.1, 0.2, 0.30000000000000004, -0.5, 1e-7, 123456.789, 2 ** 31, 2 ** 53, -(2 ** 53)];

export const scalarFrom = (random: Random): Scalar => {
  switch (random.below(8)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
    case 3:
      return random.oneIn(3) ? (random.below(2_000_000) - 1_000_000) / 997 : random.pick(NUMBERS);
    default:
      return random.pick(STRINGS);
  }
};

/**
 * Creates a random document. `mixed`, `text` and `nested.value` must be declared in indexes, `loose` and `list` must
 * not.
 */
export const documentFrom = (random: Random, id: string): Document => {
  const document: Record<string, unknown> & Document = {
    id,
    mixed: scalarFrom(random),
    text: random.oneIn(6) ? null : random.pick(STRINGS),
    nested: { value: scalarFrom(random) },
  };
  if (!random.oneIn(3)) document['loose'] = random.oneIn(6) ? { inside: 1 } : scalarFrom(random);
  if (!random.oneIn(3)) document['list'] = Array.from({ length: random.below(4) }, () => scalarFrom(random));
  return document;
};

const FIELDS = ['mixed', 'text', 'nested.value', 'loose', 'loose.inside', 'absent', 'id'];

/** Creates a random condition on a field, with one or several operators. */
const conditionFrom = (random: Random): Scalar | FieldCondition => {
  if (random.oneIn(3)) return scalarFrom(random);
  const condition: FieldCondition = {};
  for (let operators = random.oneIn(4) ? 2 : 1; operators > 0; operators--) {
    switch (random.below(10)) {
      case 0:
        condition.$eq = scalarFrom(random);
        break;
      case 1:
        condition.$ne = scalarFrom(random);
        break;
      case 2:
        condition.$in = scalarsFrom(random);
        break;
      case 3:
        condition.$nin = scalarsFrom(random);
        break;
      case 4:
        condition.$gt = scalarFrom(random);
        break;
      case 5:
        condition.$gte = scalarFrom(random);
        break;
      case 6:
        condition.$lt = scalarFrom(random);
        break;
      case 7:
        condition.$lte = scalarFrom(random);
        break;
      case 8:
        condition.$contains = random.pick(STRINGS);
        break;
      default:
        condition.$prefix = random.pick(STRINGS);
    }
  }
  return condition;
};

const scalarsFrom = (random: Random): Scalar[] => Array.from({ length: random.below(5) }, () => scalarFrom(random));

/** Creates a random condition that the port allows on a field with arrays. */
const listConditionFrom = (random: Random): Scalar | FieldCondition =>
  random.pick<Scalar | FieldCondition>([
    scalarFrom(random) ?? 'a',
    { $ne: scalarFrom(random) },
    { $in: scalarsFrom(random) },
    { $nin: scalarsFrom(random) },
  ]);

export const whereFrom = (random: Random, depth = 2): Where => {
  const where: Where = {};
  for (let fields = random.below(3); fields > 0; fields--) where[random.pick(FIELDS)] = conditionFrom(random);
  if (random.oneIn(5)) where['list'] = listConditionFrom(random);
  if (depth > 0 && random.oneIn(4)) where.$or = wheresFrom(random, depth);
  if (depth > 0 && random.oneIn(6)) where.$and = wheresFrom(random, depth);
  return where;
};

const wheresFrom = (random: Random, depth: number): Where[] =>
  Array.from({ length: random.below(4) }, () => whereFrom(random, depth - 1));

export const queryFrom = (random: Random): Query => {
  const query: Query = {};
  if (!random.oneIn(6)) query.where = whereFrom(random);
  if (!random.oneIn(4)) {
    const fields = Array.from({ length: random.below(4) }, () => random.pick(['mixed', 'text', 'nested.value', 'id']));
    query.sort = Object.fromEntries(fields.map((field) => [field, random.oneIn(2) ? 1 : -1]));
  }
  if (random.oneIn(2)) query.skip = random.below(20);
  if (!random.oneIn(3)) query.limit = random.below(30);
  if (random.oneIn(4)) query.fields = ['id', 'text', 'absent'].slice(random.below(3));
  return query;
};
