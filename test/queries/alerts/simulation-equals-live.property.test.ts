import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CONDITIONS, MULTI_REGION_MODES, type AlertRuleFields } from '../../../domain/alert-rule/fields.ts';
import { derivedId } from '../../../domain/identity.ts';
import { instantOf } from '../../../domain/time.ts';
import { alerts } from '../../../projections/alerts/projection.ts';
import { createPastEvents } from '../../../projections/past/past-events.ts';
import { simulateRule, type Simulation } from '../../../queries/alerts/simulation/simulate.ts';
import { randomFrom, type Random } from '../../contracts/random.ts';
import { CHECK, ORGANIZATION } from '../../domain/check/examples.ts';
import { ranDown, ranOk } from '../../domain/check-result/examples.ts';
import { groupStarted, REQUESTED_REGIONS } from '../../domain/execution-group/examples.ts';
import { HOUR, MINUTE, SECOND, stage, type Stage } from '../../reactors/alerts/stage.ts';

const test = suite('simulated alerts');

const HISTORIES = 30;
const STEPS = 100;
/**
 * In half of the histories, the rule is enabled only after this number of steps, so that its first evaluation depends
 * on earlier results.
 */
const EARLIER_STEPS = 40;
const SLOW = 100;
/** The tag of the rule in a third of the histories. */
const TAG = 'prod';
const FAR = '9999-12-31T00:00:00.000000';

const parametersOf = (condition: AlertRuleFields['condition'], random: Random): Partial<AlertRuleFields> => {
  switch (condition) {
    case 'check_degraded':
      return { condition, condition_parameters: { response_time: SLOW } };
    case 'consecutive_failures':
      return { condition, condition_parameters: { count: random.pick([1, 2, 3, 25]) } };
    case 'uptime_below_threshold':
      return {
        condition,
        condition_parameters: { threshold: random.pick([50, 80, 99.5]), window_seconds: random.pick([3_600, 14_400]) },
      };
    default:
      return { condition, condition_parameters: {} };
  }
};

const anyRule = (random: Random): Partial<AlertRuleFields> => {
  const mode = random.pick(MULTI_REGION_MODES);
  return {
    ...parametersOf(random.pick(CONDITIONS), random),
    multi_region_mode: mode,
    multi_region_threshold: mode === 'specific_count' ? { count: 2 } : null,
    cooldown_period: random.pick([0, 0, 120, 900, 7_200]),
    confirmations: random.pick([1, 1, 2, 4]),
    recovery_confirmations: random.pick([1, 1, 2, 3]),
    auto_resolve: !random.oneIn(6),
  };
};

/** Returns the alerts that live evaluation has fired, in the form of a simulation. */
const liveAlerts = async ({ read, office }: Stage): Promise<Simulation['alerts']> => {
  const found = await read(alerts).alerts.find({ sort: { fired_at: 1 } });
  return found.map(({ check_id, check_name, fired_at, resolved_at, duration, trigger_results }) => ({
    check_id: check_id ?? '',
    check_name: check_name ?? '',
    fired_at,
    resolved_at,
    duration: duration ?? Math.floor((office.now - Date.parse(`${fired_at}Z`)) / SECOND),
    trigger_results,
  }));
};

const simulate = (given: Stage, rule: AlertRuleFields, from: number): Promise<Simulation> => {
  const source = createPastEvents(given.stores.main);
  return simulateRule(
    { read: given.read, organizationId: ORGANIZATION },
    rule,
    { from: instantOf(from), to: instantOf(given.office.now) },
    { readEvents: async (owner, categories) => (await source.ofOwner(owner, categories, FAR)).all },
  );
};

/** Lets the time pass, and evaluates the rule whenever it is due. */
const pass = async (given: Stage, milliseconds: number): Promise<void> => {
  const end = given.office.now + milliseconds;
  for (;;) {
    const next = await given.next();
    if (next === null || given.office.now + next > end) break;
    given.pass(next);
    await given.settle();
  }
  given.pass(end - given.office.now);
  await given.settle();
};

/** Appends the result of a run in one region. */
const runOnce = async (given: Stage, bad: boolean, random: Random): Promise<void> => {
  if (random.oneIn(12)) await given.bad(random.pick([{ late: true }, { suspect: true }, { outdated: true }] as const));
  if (bad) await given.bad({ reason: random.pick(['timeout', 'connect']) });
  else await given.ok({ response_time: random.pick([10, 10, SLOW + 1]) });
};

/** Appends a run in three regions, some of which may be silent, cut off or late. */
const runInRegions = async (given: Stage, bad: boolean, random: Random): Promise<void> => {
  const run_id = derivedId(`run at ${given.office.now}`);
  const execution_group_id = derivedId(`group of ${run_id}`);
  const timeout_at = instantOf(given.office.now + 40 * SECOND);
  const unserved = random.oneIn(8) ? { unserved: ['IN, Mumbai'] } : {};
  await given.append(groupStarted({ run_id, execution_group_id, timeout_at, ...unserved }));
  const requested = REQUESTED_REGIONS.filter((region) => !unserved.unserved?.includes(region));
  const answering = random.oneIn(4) ? requested.filter(() => !random.oneIn(3)) : requested;
  let missing = requested.length - answering.length;
  for (const region of answering) {
    await pass(given, random.pick([0, SECOND, 3 * SECOND]));
    const fields = { ...given.resultFields({ execution_group_id, region }), run_id };
    const isSuspect = random.oneIn(10) ? ({ suspect: true } as const) : {};
    if (random.oneIn(20)) {
      await given.append(ranDown({ ...fields, late: true }));
      missing += 1;
    } else if (bad && !random.oneIn(3)) {
      await given.append(ranDown({ ...fields, ...isSuspect, reason: random.pick(['timeout', 'connect']) }));
    } else await given.append(ranOk({ ...fields, ...isSuspect, response_time: random.pick([10, SLOW + 1]) }));
    await given.settle();
  }
  const isCancelled = missing > 0 && random.oneIn(6);
  if (missing === 0) return;
  await pass(given, Date.parse(`${timeout_at}Z`) + SECOND - given.office.now);
  const ids = { execution_group_id, check_id: CHECK, organization_id: ORGANIZATION };
  if (isCancelled) await given.append({ type: 'ExecutionGroupCancelled', data: ids });
  else await given.append({ type: 'ExecutionGroupTimedOut', data: ids });
};

interface Changing {
  active: boolean;
  quiet: boolean;
  /** whether the check has the tag of the rule; null for a rule without a tag */
  tagged: boolean | null;
}

/** Changes the check or the maintenance. */
const changeSomething = async (given: Stage, now: Changing, random: Random): Promise<void> => {
  const change = !now.active ? 0 : now.tagged === false ? 3 : now.quiet ? 2 : random.below(now.tagged === null ? 3 : 4);
  switch (change) {
    case 3:
      now.tagged = !now.tagged;
      return given.changeCheck({ tags: now.tagged ? [TAG, 'other'] : ['other'] });
    case 0:
      now.active = !now.active;
      return given.changeCheck({ active: now.active });
    case 1:
      return given.changeCheck({ url: `https://shop.example/${random.below(3)}` });
    default:
      now.quiet = !now.quiet;
      return given.quiet(now.quiet);
  }
};

const compare = async (seed: number, counts: { fired: number; resolved: number }): Promise<void> => {
  const random = randomFrom(seed * 7_919);
  const earlier = random.oneIn(2) ? EARLIER_STEPS : 0;
  const byTag = seed % 3 === 0 ? { check_id: null, tag: TAG } : {};
  const given = await stage({ ...anyRule(random), ...byTag, enabled: earlier === 0 });
  let from = given.office.now;
  const now: Changing = { active: true, quiet: false, tagged: seed % 3 === 0 ? false : null };
  const inRegions = seed % 2 === 0;
  let bad = false;
  await given.settle();
  for (let step = 0; step < STEPS; step++) {
    if (step === earlier) {
      await pass(given, SECOND);
      await given.changeRule({ enabled: true });
      await given.settle();
      from = given.office.now;
    }
    await pass(given, random.pick([SECOND, 30 * SECOND, MINUTE, 10 * MINUTE, random.oneIn(10) ? 3 * HOUR : MINUTE]));
    if (random.oneIn(4)) bad = !bad;
    if (random.oneIn(now.active && !now.quiet && now.tagged !== false ? 15 : 4))
      await changeSomething(given, now, random);
    else if (inRegions && !random.oneIn(5)) await runInRegions(given, bad, random);
    else await runOnce(given, bad, random);
    await given.settle();
  }
  await pass(given, SECOND);
  const live = await liveAlerts(given);
  const simulation = await simulate(given, given.rule(), from);
  assert.equal(simulation.alerts, live, `seed ${seed}`);
  assert.is(simulation.truncated, false);
  counts.fired += live.length;
  counts.resolved += live.filter(({ resolved_at }) => resolved_at !== null).length;
};

test('a simulation returns exactly the alerts that live evaluation raised on the same results', async () => {
  const counts = { fired: 0, resolved: 0 };
  for (let seed = 1; seed <= HISTORIES; seed++) await compare(seed, counts);
  assert.ok(counts.fired >= 50 && counts.resolved >= 50, JSON.stringify(counts));
});

test.run();
