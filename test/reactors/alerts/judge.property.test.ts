import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AlertRuleFields } from '../../../domain/alert-rule/fields.ts';
import { CONDITIONS } from '../../../domain/alert-rule/fields.ts';
import { randomFrom, type Random } from '../../contracts/random.ts';
import { CHECK } from '../../domain/check/examples.ts';
import { plainRule } from './plain-rule.ts';
import { HOUR, MINUTE, SECOND, stage } from './stage.ts';

const test = suite('alerts under random results, users, maintenances, restarts and clock changes');

const HISTORIES = 50;
const STEPS = 120;
const SLOW = 100;

const parametersOf = (condition: AlertRuleFields['condition'], random: Random): Partial<AlertRuleFields> => {
  switch (condition) {
    case 'check_degraded':
      return { condition, condition_parameters: { response_time: SLOW } };
    case 'consecutive_failures':
      return { condition, condition_parameters: { count: random.pick([1, 2, 3, 25]) } };
    case 'uptime_below_threshold':
      return {
        condition,
        condition_parameters: {
          threshold: random.pick([50, 80, 99.5]),
          window_seconds: random.pick([60, 3_600, 7_200]),
        },
      };
    default:
      return { condition, condition_parameters: {} };
  }
};

const anything = (random: Random): Partial<AlertRuleFields> => ({
  ...parametersOf(random.pick(CONDITIONS), random),
  cooldown_period: random.pick([0, 0, 120, 900, 7_200]),
  confirmations: random.pick([1, 1, 2, 4]),
  recovery_confirmations: random.pick([1, 1, 2, 3]),
  auto_resolve: !random.oneIn(6),
});

/**
 * Returns the number of a random action that ends a present suppression of the rule. Returns `undefined` if nothing
 * suppresses the rule, and in a quarter of the other cases.
 */
const toBeUndone = (
  { rule, active, quiet, about }: ReturnType<typeof plainRule>['now'],
  random: Random,
): number | undefined => {
  const cases = [!rule.enabled && 1, !about && 2, !active && 3, quiet && 5].filter((one) => one !== false);
  return cases.length === 0 || random.oneIn(4) ? undefined : random.pick(cases);
};

/** @param byTag whether the rule selects the check by a tag, which the test adds and removes, instead of by id */
const run = async (seed: number, byTag: boolean): Promise<Record<string, number>> => {
  const random = randomFrom(seed * 7_919);
  const given = await stage({ ...anything(random), ...(byTag && { check_id: null, tag: 'prod' }) });
  if (byTag) await given.retag(CHECK, ['prod']);
  const { office } = given;
  const model = plainRule(given.rule(), given.definition(), office.now - SECOND);
  const where = (step: number): string => `seed ${seed}, step ${step}`;
  const counts = { restarts: 0, jumps: 0 };
  const expected: string[] = [];
  let bad = false;

  const result = async (): Promise<void> => {
    if (random.oneIn(4)) bad = !bad;
    if (random.oneIn(12))
      await given.bad(random.pick([{ late: true }, { suspect: true }, { outdated: true }] as const));
    const definition = given.definition();
    const run = { at: office.now, definition, timedOut: bad && random.oneIn(2), ok: !bad };
    const took = bad ? null : random.pick([10, 10, SLOW + 1]);
    if (bad) await given.bad({ reason: run.timedOut ? 'timeout' : 'connect' });
    else await given.ok({ response_time: took });
    model.runs.push({ ...run, took });
  };

  const changeRule = async (changes: Partial<AlertRuleFields>): Promise<void> => {
    await given.changeRule(changes);
    model.now.rule = given.rule();
  };

  const person = async (): Promise<void> => {
    const active = model.active();
    switch (toBeUndone(model.now, random) ?? (active !== null && random.oneIn(4) ? 6 : random.below(8))) {
      case 0:
        return changeRule(anything(random));
      case 1:
        return changeRule({ enabled: !model.now.rule.enabled });
      case 2:
        model.now.about = !model.now.about;
        if (byTag) return given.retag(CHECK, model.now.about ? ['prod'] : ['eu']);
        return changeRule({ check_id: model.now.about ? CHECK : 'check0000002' });
      case 3: {
        const isActive = !model.now.active;
        if (isActive) model.now.activeSince = office.now;
        model.now.active = isActive;
        return given.changeCheck({ active: isActive });
      }
      case 4:
        await given.changeCheck({ url: `https://shop.example/${random.below(3)}` });
        model.now.definition = given.definition();
        return;
      case 5:
        model.now.quiet = !model.now.quiet;
        return given.quiet(model.now.quiet);
      case 6:
        if (active === null) return;
        await given.resolve(active);
        expected.push(model.person(office.now));
        return;
      default:
        if (active === null || expected.includes(`AlertAcknowledged ${active}`)) return;
        await given.acknowledge(active);
        expected.push(`AlertAcknowledged ${active}`);
    }
  };

  const processes = random.oneIn(3) ? 2 : 1;
  for (let step = 0, downUntil = 0; step < STEPS; step++) {
    given.pass(random.pick([SECOND, 30 * SECOND, MINUTE, 10 * MINUTE]));
    if (random.oneIn(30)) {
      given.pass(random.pick([-2 * HOUR, -2 * SECOND, 3 * HOUR]));
      counts.jumps++;
    }
    if (!random.oneIn(5)) await result();
    if (random.oneIn(3)) await person();
    if (step >= downUntil) {
      await given.settle(processes);
      expected.push(...model.doneAt(office.now));
      assert.equal(await given.receivers(), expected, where(step));
    }
    if (random.oneIn(25)) {
      given.kill();
      counts.restarts++;
      downUntil = step + random.below(12);
    }
  }
  assert.equal(office.logged, []);
  const times = (what: string): number => expected.filter((one) => one.includes(what)).length;
  const seen = ['fired', 'condition', 'person', 'Ended', 'disabled', 'changed', 'paused', 'Acknowledged'];
  return { ...counts, ...Object.fromEntries(seen.map((what) => [what, times(what)])) };
};

test('alerts fire and are resolved as predicted by a reference model that sees the whole history', async () => {
  const total: Record<string, number> = {};
  for (let seed = 1; seed <= HISTORIES; seed++) {
    for (const [what, times] of Object.entries(await run(seed, seed % 2 === 0)))
      total[what] = (total[what] ?? 0) + times;
  }
  for (const [what, times] of Object.entries(total)) assert.ok(times >= 10, `${what}: ${times}`);
});

test.run();
