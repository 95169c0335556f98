import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createStatusCompactor, expandStatuses } from '../../../../projections/engine/status/compact-statuses.ts';
import type { ProjectionStatus } from '../../../../projections/engine/status/protocol.ts';

const test = suite('statuses sent to another thread');

const status = (name: string, position: bigint, more: Partial<ProjectionStatus> = {}): ProjectionStatus => ({
  name,
  version: 1,
  log: 'main',
  generation: 1,
  position,
  oldest: null,
  state: 'live',
  error: null,
  set_aside: 0,
  ...more,
});

test('statuses arrive unchanged, and are reduced to a position if nothing else has changed', () => {
  const compact = createStatusCompactor();
  const known = new Map<string, ProjectionStatus>();
  const statusOf = (name: string): ProjectionStatus => known.get(name) ?? status(name, 0n);
  const send = (...statuses: ProjectionStatus[]) => {
    const sent = compact(statuses);
    const arrived = expandStatuses(sent, statusOf);
    for (const one of arrived) known.set(one.name, one);
    const byName = (one: ProjectionStatus, other: ProjectionStatus): number => (one.name < other.name ? -1 : 1);
    assert.equal(arrived.sort(byName), statuses.sort(byName));
    return sent;
  };
  assert.is(send(status('a', 1n), status('b', 1n)).moved.length, 0);
  const moved = send(status('a', 2n), status('b', 2n), status('c', 2n));
  assert.equal(moved.moved, [{ position: 2n, names: ['a', 'b'] }]);
  assert.is(moved.statuses.length, 1);
  for (const more of [
    { state: 'catching_up' },
    { state: 'live', oldest: { position: 9n, recordedAt: 1 } },
    { generation: 2 },
    { generation: 2, set_aside: 1 },
    { state: 'failing', error: { message: 'no', position: null, event_id: null, event_type: null } },
  ] satisfies Partial<ProjectionStatus>[]) {
    assert.is(send(status('a', 3n, more), status('b', 3n)).statuses.length, 1);
  }
  assert.is(send(status('a', 4n), status('b', 4n)).statuses.length, 1);
});

test.run();
