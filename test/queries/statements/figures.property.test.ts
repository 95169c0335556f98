import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';
import { findPage } from '../../../queries/pages/pages.ts';
import { readStatementFigures } from '../../../queries/statements/figures.ts';
import { readUptimeByIds } from '../../../queries/uptime/uptime.ts';
import { PAGE } from '../../domain/page/examples.ts';
import { scopeOf } from '../engine/scope.ts';
import { COMPONENTS, randomFrom, randomHistory, withStartDates } from '../uptime/random-history.ts';

const test = suite('the figures of statements under random histories');

const HISTORIES = 60;

for (const unit of [HOUR_MS, 5 * DAY_MS]) {
  test(`the figures of a monthly statement equal the uptime statistics of the month, in steps of ${unit / HOUR_MS} h`, async () => {
    let compared = 0;
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const random = randomFrom(seed * 15_485_863);
      const history = randomHistory(seed + unit, unit);
      const now = history.at(history.length);
      const scope = scopeOf(withStartDates(history.facts), { now });
      const month = history.at(random.below(history.length)).slice(0, 7);
      const figures = await readStatementFigures(scope.read, { pageId: PAGE, month, madeAt: now });
      const page = await findPage(scope, PAGE);
      const statistics = await readUptimeByIds(scope, page, COMPONENTS, { start: month, end: month });
      const found = new Map(figures.components.map((component) => [component.id, component]));
      for (const one of statistics) {
        const note = `seed ${seed}, ${one.id}, ${month}, now ${now}`;
        const component = found.get(one.id);
        if (!component) {
          assert.is(one.uptime_percentage, 100, note);
          assert.is(one.major_outage, 0, note);
          continue;
        }
        compared += 1;
        const { uptime_percentage, major_outage, partial_outage, affected_days } = component;
        assert.equal(
          { uptime_percentage, major_outage, partial_outage },
          {
            uptime_percentage: one.uptime_percentage,
            major_outage: one.major_outage,
            partial_outage: one.partial_outage,
          },
          note,
        );
        const ofDays = affected_days.reduce((sum, day) => sum + day.major_outage, 0);
        assert.is(ofDays, major_outage, note);
      }
    }
    assert.ok(compared > HISTORIES, 'Hardly any component was compared.');
  });
}

test.run();
