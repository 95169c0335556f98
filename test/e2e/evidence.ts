import * as assert from 'uvu/assert';

/** An event as `uptrail replay` prints it. */
interface Replayed {
  id: string;
  stream: string;
  revision: number;
  type: string;
  data: Record<string, unknown>;
}

/** Parses the output of `uptrail replay`. */
const eventsIn = (replayed: string): Replayed[] =>
  replayed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Replayed);

const once = (values: readonly string[], message: string): void => {
  const twice = values.filter((value, index) => values.indexOf(value) !== index);
  assert.equal(twice, [], message);
};

const textOf = (...values: unknown[]): string => values.map(String).join(' ');

/** For each status change of a check, the status changes that may follow. */
const FOLLOWERS: Readonly<Record<string, readonly string[]>> = {
  nothing: ['CheckCameUp', 'CheckWentDown'],
  CheckCameUp: ['CheckWentDown'],
  CheckWentDown: ['CheckRecovered'],
  CheckRecovered: ['CheckWentDown'],
};

/**
 * Asserts that the main log shows everything exactly once: no event is stored twice, no job reached a state twice, no
 * check went down while it was down, and no run caused two status changes.
 *
 * @returns the number of status changes
 */
export const assertOnceInMain = (replayed: string): number => {
  const events = eventsIn(replayed);
  once(
    events.map(({ id }) => id),
    'no event of the main log is there twice',
  );
  once(
    events.filter(({ type }) => type.startsWith('Job')).map(({ type, data }) => textOf(type, data['job_id'])),
    'no job went through a state twice',
  );
  const verdicts = events.filter(({ type }) => /^Check(?:CameUp|WentDown|Recovered)$/.test(type));
  once(
    verdicts.map(({ data }) => textOf(data['check_id'], data['run_id'])),
    'no run changed the state of its check twice',
  );
  const last = new Map<string, string>();
  for (const { stream, type } of verdicts) {
    const before = last.get(stream) ?? 'nothing';
    assert.ok(FOLLOWERS[before]?.includes(type), `${stream}: ${type} after ${before}`);
    last.set(stream, type);
  }
  const reached = events.filter(({ type }) => type === 'CreditLimitReached');
  once(
    reached.map(({ data }) => textOf(data['organization_id'], data['period_start'], data['credit_limit'])),
    'no limit of credits was reached twice',
  );
  return verdicts.length;
};

export interface ResultsEvidence {
  /** cost of the results in credits; repeated results are counted once */
  credits: number;
  /** ids of the results */
  results: Set<string>;
  /** number of events that repeat the id of an earlier event */
  repeats: number;
}

/**
 * Asserts that the results log contains no run twice, whether on demand or scheduled, and no result twice. Repeated
 * events with the same id are allowed, because readers ignore them.
 *
 * @param replayed the output of `uptrail replay --log results --raw`
 */
export const assertOnceInResults = (replayed: string): ResultsEvidence => {
  const all = eventsIn(replayed);
  const first = new Map<string, Replayed>();
  for (const event of all) if (!first.has(event.id)) first.set(event.id, event);
  const results = [...first.values()].filter(({ type }) => type === 'CheckRunCompleted').map(({ data }) => data);
  once(
    results.map((data) => textOf(data['result_id'])),
    'no result is stored under two ids',
  );
  once(
    results.map((data) => textOf(data['run_id'], data['region'])),
    'no run has two results in a region',
  );
  once(
    results
      .filter((data) => data['execution_id'] !== undefined)
      .map((data) => textOf(data['execution_id'], data['region'])),
    'no job ran twice in a region',
  );
  once(
    results
      .filter((data) => data['result_type'] === 'regular')
      .map((data) => textOf(data['check_id'], data['slot'], data['region'])),
    'no check ran twice at one time',
  );
  return {
    credits: results.reduce((sum, data) => sum + Number(data['credits']), 0),
    results: new Set(results.map((data) => String(data['result_id']))),
    repeats: all.length - first.size,
  };
};
