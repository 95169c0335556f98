import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DAY_MS, HOUR_MS, instantOf, millisecondsOf } from '../../../domain/time.ts';
import { calendarOf, plusDays } from '../../../domain/uptime/days.ts';
import { PARTIAL_OUTAGE_WEIGHT } from '../../../domain/uptime/statistics.ts';
import { findPage } from '../../../queries/pages/pages.ts';
import type { UptimeInterval } from '../../../queries/uptime/intervals.ts';
import type { UptimeStatistics } from '../../../queries/uptime/statistics.ts';
import { readUptimeByIds } from '../../../queries/uptime/uptime.ts';
import { PAGE } from '../../domain/page/examples.ts';
import { scopeOf } from '../engine/scope.ts';
import { plainModel } from './plain-model.ts';
import { COMPONENTS, randomFrom, randomHistory, withStartDates } from './random-history.ts';

const test = suite('the intervals of uptime under random histories');

/** Units with which histories last from hours to years. */
const UNITS = [60_000, HOUR_MS, 2 * DAY_MS];
const HISTORIES = 120;

const lengthOf = ({ from, to }: UptimeInterval): number => millisecondsOf(to) - millisecondsOf(from);

/** Computes the figures from the intervals alone, as a reader of the response would. */
const figuresOf = (intervals: readonly UptimeInterval[]) => {
  const measured = intervals.filter(({ excluded }) => excluded === null);
  const sum = (list: readonly UptimeInterval[]): number => list.reduce((all, one) => all + lengthOf(one), 0);
  const total = sum(measured);
  const major = sum(measured.filter(({ status }) => status === 'major_outage'));
  const partial = sum(measured.filter(({ status }) => status === 'partial_outage'));
  const percentage = total === 0 ? 100 : (100 * (total - major - PARTIAL_OUTAGE_WEIGHT * partial)) / total;
  return {
    uptime_percentage: Math.round(percentage * 100) / 100,
    major_outage: Math.round(major / 1_000),
    partial_outage: Math.round(partial / 1_000),
  };
};

const expectWhole = ({ intervals = [], range_start, range_end }: UptimeStatistics, note: string): void => {
  const calendar = calendarOf('UTC');
  assert.is(intervals[0]?.from, instantOf(calendar.startOf(range_start)), note);
  assert.is(intervals.at(-1)?.to, instantOf(calendar.startOf(plusDays(range_end, 1))), note);
  intervals.slice(1).forEach(({ from }, index) => {
    assert.is(from, intervals[index]?.to, note);
  });
};

for (const unit of UNITS) {
  test(`the intervals add up to the figures exactly, in steps of ${unit / 60_000} min`, async () => {
    let down = 0;
    for (let seed = 1; seed <= HISTORIES / UNITS.length; seed++) {
      const random = randomFrom(seed * 104_729);
      const history = randomHistory(seed + unit, unit);
      const facts = withStartDates(history.facts);
      const plain = plainModel(facts);
      const now = history.at(random.below(history.length) + 1);
      const scope = scopeOf(facts, { now });
      const page = await findPage(scope, PAGE);
      const start = history.at(random.below(history.length)).slice(0, 10);
      const query = start <= now.slice(0, 10) ? { start } : {};
      const without = await readUptimeByIds(scope, page, COMPONENTS, query);
      const found = await readUptimeByIds(scope, page, COMPONENTS, { ...query, explain: true });
      for (const [index, one] of found.entries()) {
        const note = `seed ${seed}, ${one.id}, ${one.range_start} to ${one.range_end}, now ${now}`;
        const { intervals = [], truncated, ...figures } = one;
        assert.equal(figures, without[index], note);
        assert.is(truncated, false, note);
        expectWhole(one, note);
        down += figures.major_outage;
        const { uptime_percentage, major_outage, partial_outage } = figures;
        assert.equal(figuresOf(intervals), { uptime_percentage, major_outage, partial_outage }, note);
        for (const { from, status, excluded, source } of intervals) {
          if (status === null || from >= now) continue;
          assert.is(excluded === null ? status : null, plain.at(one.id, from), `${note}, ${from}`);
          assert.ok(status === 'operational' || source !== null, `${note}, ${from}`);
          assert.ok(source === null || source.at <= from, `${note}, ${from}`);
          const update = source?.incident_update_id;
          if (update) assert.is(plain.setBy(update, one.id), status, `${note}, ${from}`);
        }
      }
    }
    assert.ok(down > 0, 'The histories have no outages.');
  });
}

test.run();
