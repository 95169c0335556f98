import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tabOf } from '../../../console/screens/check/query.ts';
import { filterOf, isUnfiltered, requestOf } from '../../../console/screens/check/results/filter.ts';

const test = suite('the result list of a check');

const filterIn = (query: string) => filterOf(new URLSearchParams(query));

test('the result list shows the newest results if the URL has no filter', () => {
  assert.ok(isUnfiltered(filterIn('')));
  assert.ok(isUnfiltered(filterIn('range=7d&region=each&page=1')));
  assert.equal(requestOf(filterIn('')), { page: 1, page_size: 20 });
  assert.is(tabOf(new URLSearchParams('tab=nothing')), 'results');
});

test('the result list applies the filter of the URL', () => {
  const filter = filterIn('failures=1&of=EU%2C+West&from=2026-11-20T10:00:00&to=2026-11-20T12:00:00&page=3');
  assert.not(isUnfiltered(filter));
  assert.equal(requestOf(filter), {
    page: 3,
    page_size: 20,
    failed_only: true,
    region: 'EU, West',
    start_date: '2026-11-20T10:00:00Z',
    end_date: '2026-11-20T12:00:00Z',
  });
});

test('the result list shows the newest results if the filter of the URL is invalid', () => {
  for (const query of ['page=0', 'page=-1', 'page=x', 'page=1.5', 'from=yesterday', 'failures=yes'])
    assert.ok(isUnfiltered(filterIn(query)), query);
});

test.run();
