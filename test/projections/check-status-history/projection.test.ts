import { suite } from 'uvu';
import { checkStatusHistory } from '../../../projections/check-status-history/projection.ts';
import { cameUp, CHECK, recovered, wentDown } from '../../domain/check/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the status history of checks');
const model = projection(checkStatusHistory);

const up = cameUp({ result_id: 'result000001', at: '2026-11-20T15:00:00.000000' });
const CAUSE = 'Connection refused.';
const down = wentDown({ error_message: CAUSE, result_id: 'result000002', at: '2026-11-20T15:10:00.000000' });
const again = recovered({ result_id: 'result000003', at: '2026-11-20T15:30:00.000000' });

test('a status of a check lasts until another one replaces it', () =>
  model.given(up).then('check_statuses', [
    {
      id: CHECK,
      check_id: CHECK,
      status: 'up',
      cause: null,
      started_at: '2026-11-20T15:00:00.000000',
      ended_at: null,
    },
  ]));

test('each status period ends where the next one begins', () =>
  model.given(up, down, again).then('check_statuses', [
    {
      id: 'result000002',
      check_id: CHECK,
      status: 'up',
      cause: null,
      started_at: '2026-11-20T15:00:00.000000',
      ended_at: '2026-11-20T15:10:00.000000',
    },
    {
      id: 'result000003',
      check_id: CHECK,
      status: 'down',
      cause: CAUSE,
      started_at: '2026-11-20T15:10:00.000000',
      ended_at: '2026-11-20T15:30:00.000000',
    },
    { id: CHECK, check_id: CHECK, status: 'up', cause: null, started_at: '2026-11-20T15:30:00.000000', ended_at: null },
  ]));

test('a status period that began while the clock was ahead begins no later than the next period', () => {
  const ahead = cameUp({ result_id: 'result000001', at: '2026-11-22T15:00:00.000000' });
  return model.given(ahead, down).then('check_statuses', [
    {
      id: 'result000002',
      check_id: CHECK,
      status: 'up',
      cause: null,
      started_at: '2026-11-20T15:10:00.000000',
      ended_at: '2026-11-20T15:10:00.000000',
    },
    {
      id: CHECK,
      check_id: CHECK,
      status: 'down',
      cause: CAUSE,
      started_at: '2026-11-20T15:10:00.000000',
      ended_at: null,
    },
  ]);
});

test('a new status of a check does not end status periods of other checks', () => {
  const other = wentDown({ check_id: 'check0000002', result_id: 'result000009' });
  return model.given(up, other).then('check_statuses', {
    id: CHECK,
    check_id: CHECK,
    status: 'up',
    cause: null,
    started_at: '2026-11-20T15:00:00.000000',
    ended_at: null,
  });
});

test.run();

projectionRules(checkStatusHistory, [up, down, again]);
