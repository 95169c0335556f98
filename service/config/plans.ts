import { Type, type Static } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { digitsOf, isCurrency, moneyOf } from '../../domain/money.ts';
import { NO_LIMITS, plansOf, MIN_INTERVAL, type Plans } from '../../domain/organization/plans.ts';
import type { Plan } from '../../domain/organization/subscription-events.ts';
import { firstProblem, jsonIn } from './json-file.ts';

const limit = (minimum = 0) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum, maximum: Number.MAX_SAFE_INTEGER }));

/** A plan in the file, which contains an array of plans. An absent or null limit means "unlimited". */
const PlanInFile = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,49}$', sentence: 'Must be 1 to 50 of a-z, 0-9, - and _.' }),
    name: Type.String({ pattern: '\\S', sentence: 'Must not be blank.', maxLength: 100 }),
    description: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 1_000 })),
    price: Type.Object({ value: Type.String(), currency: Type.String() }, { additionalProperties: false }),
    /** duration in days */
    duration: Type.Integer({ minimum: 1, maximum: 3_660 }),
    limits: Type.Object(
      {
        credits: limit(),
        checks: limit(),
        pages: limit(),
        users: limit(),
        shortest_interval: limit(MIN_INTERVAL),
      },
      { additionalProperties: false },
    ),
    default: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
type PlanInFile = Static<typeof PlanInFile>;

/**
 * Reads the plans from a file.
 *
 * @throws Error names the file and, if known, the plan and the field. The message continues a sentence that begins with
 * the name of the variable or of the program
 */
export const plansIn = (file: string): Plans => {
  const wrong = (sentence: string): Error => new Error(`"${file}" is invalid: ${sentence}`);
  const content = jsonIn(file, wrong);
  if (!Array.isArray(content)) throw wrong('it must be an array of plans.');
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
  const isPlan = ajv.compile<PlanInFile>(PlanInFile);
  const inFile = content.map((candidate: unknown, index): PlanInFile => {
    if (isPlan(candidate)) return candidate;
    const { field, sentence } = firstProblem(isPlan.errors ?? []);
    throw wrong(`${named(candidate, index)}, ${field}: ${sentence}`);
  });
  const ids = inFile.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw wrong(`plan "${twice}", id: Must be unique.`);
  const standards = inFile.filter((plan) => plan.default === true).map(({ id }) => id);
  const [standard] = standards;
  if (standard === undefined)
    throw wrong('one plan must have "default": true; it applies to organizations without a subscription.');
  if (standards.length > 1) {
    throw wrong(
      `plan "${standards[1] ?? ''}", default: Must be true for only one plan, and already is for "${standard}".`,
    );
  }
  return plansOf(
    inFile.map((plan) => planOf(plan, wrong)),
    standard,
  );
};

const planOf = (plan: PlanInFile, wrong: (sentence: string) => Error): Plan => {
  const { id, name, description = null, duration, limits } = plan;
  const { value, currency } = plan.price;
  if (!isCurrency(currency)) throw wrong(`plan "${id}", price.currency: Must be an ISO 4217 currency, such as EUR.`);
  const price = moneyOf(value, currency);
  if (!price) {
    const digits = digitsOf(currency);
    const example = digits === 0 ? '4990' : `4990.${'0'.repeat(digits)}`;
    throw wrong(`plan "${id}", price.value: Must be an amount such as "${example}".`);
  }
  return { id, name, description, price, duration, limits: { ...NO_LIMITS, ...limits } };
};

/** Returns a text that names a plan in a sentence: the id of the plan or, if the plan has no id, its number. */
const named = (candidate: unknown, index: number): string => {
  const id = typeof candidate === 'object' && candidate !== null && 'id' in candidate ? candidate.id : null;
  return typeof id === 'string' ? `plan "${id}"` : `plan number ${index + 1}`;
};

/** Number of days in the longest month. */
const LONGEST_MONTH = 31;

/** Returns the conflicts between the plans and the rest of the configuration, as sentences. */
export const planProblems = ({
  plans,
  resultRetentionDays,
}: {
  plans: Plans | null;
  resultRetentionDays: number;
}): string[] => {
  const limited = plans?.all.find(({ limits }) => limits.credits !== null);
  if (!limited || resultRetentionDays >= LONGEST_MONTH) return [];
  return [
    `PLANS_FILE limits the credits of plan "${limited.id}". Monthly credits are counted from stored results: RESULT_RETENTION_DAYS must be at least ${LONGEST_MONTH}.`,
  ];
};
