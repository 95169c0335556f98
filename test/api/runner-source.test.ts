import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApplyRevocations } from '../../api/revocations.ts';
import { createRunnerSource } from '../../api/runner-source.ts';
import { confirmToken, createRunner, revokeRunner, rotateRunner } from '../../commands/runners.ts';
import { highestPosition } from '../../commands/engine/appended-positions.ts';
import { createHandle } from '../../commands/engine/handle.ts';
import { hashOfRunnerToken } from '../../domain/runner/token.ts';
import { instantOf } from '../../domain/time.ts';
import type { ProjectionStatus } from '../../projections/engine/status/protocol.ts';
import { createStatuses } from '../../projections/engine/status/statuses.ts';
import type { Read } from '../../projections/readers.ts';
import { runners, type RunnerDocument } from '../../projections/runners/projection.ts';
import { tokensIssuedAfter } from '../../service/http/registered-runners.ts';
import { commandLineContext } from '../../service/command-line.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import { rejects } from '../rejects.ts';

const test = suite('lookup of runner tokens in read model and log');

const ORGANIZATION = 'organization';
const NOW = Date.UTC(2026, 10, 20, 15);

/** Creates an organization with a runner. The read model contains the runner and does not change afterwards. */
const opened = async () => {
  const store = createCheckedStore(createMemoryEventStore('main'));
  const handle = createHandle({ store, clock: () => NOW });
  const context = () => ({ ...commandLineContext(ORGANIZATION), now: instantOf(NOW) });
  const create = async (): Promise<{ id: string; token: string }> => {
    const { id, token } = await createRunner({ handle, runners: {} })(
      { name: 'Office', region: null },
      false,
      context(),
    );
    return { id, token: token ?? '' };
  };
  const { id, token } = await create();
  const document: RunnerDocument = {
    id,
    organization_id: ORGANIZATION,
    name: 'Office',
    region: `private-${id}`,
    private: true,
    created_at: instantOf(NOW),
    revoked_at: null,
    released: false,
    token_hash: hashOfRunnerToken(token),
    former_token: null,
    last_connected: null,
    revision: 1,
  };
  const reads = { count: 0 };
  const read = (() => ({
    runner_tokens: {
      get: async (hash: string) => {
        reads.count += 1;
        return hash === document.token_hash ? { id: hash, runner_id: id } : null;
      },
    },
    runners: { get: async (runnerId: string) => (runnerId === id ? document : null) },
  })) as unknown as Read;
  const statuses = createStatuses([runners]);
  const say = (status: Partial<ProjectionStatus>): void => {
    statuses.receive([{ ...statuses.of('runners'), error: null, oldest: null, ...status }]);
  };
  say({ state: 'live', position: 1n });
  const log = { down: false };
  const time = { now: NOW };
  const announcements = { isTold: true };
  const source = createRunnerSource({
    read,
    issuedAfter: (position) => tokensIssuedAfter(store, position),
    statuses,
    load: async (...parameters) => {
      if (log.down) throw new StoreUnavailable('The disk is gone.');
      return handle.load(...parameters);
    },
    from: 0n,
    isInformed: () => announcements.isTold,
    now: () => instantOf(time.now),
    clock: () => time.now,
  });
  const find = async (shown: string) => source.find(hashOfRunnerToken(shown));
  return { handle, context, create, id, token, source, find, say, log, time, announcements, reads };
};

test('a token is found in the read model, which is read once while nothing changes', async () => {
  const { find, id, token, reads, say } = await opened();
  const known = {
    id,
    organizationId: ORGANIZATION,
    name: 'Office',
    region: `private-${id}`,
    private: true,
    isFormer: false,
  };
  assert.equal([await find(token), await find(token)], [known, known]);
  assert.is(reads.count, 1);
  say({ position: 2n });
  await find(token);
  assert.is(reads.count, 2);
  assert.is(await find('upr_unknown'), null);
});

test('a process that revokes a token refuses the token before it responds to the revocation, even if the read model is late', async () => {
  const { handle, context, id, token, source, find } = await opened();
  assert.ok(await find(token));
  let taken = 0;
  const end = source.onRevocation(() => (taken += 1));
  const asked = context();
  await revokeRunner({ handle })(id, asked);
  const announced: bigint[] = [];
  const giveUp = createApplyRevocations({
    takeEffect: source.takeEffect,
    forget: () => undefined,
    announce: async (position) => void announced.push(position),
  });
  await giveUp(asked.appended);
  const revoked = highestPosition(asked.appended, 'main');
  assert.equal([await find(token), taken, announced], [null, 1, [revoked]]);
  // The polls of a cluster announce the same position repeatedly.
  source.takeEffect(revoked);
  assert.is(taken, 1);
  end();
  source.takeEffect(revoked + 1n);
  assert.is(taken, 1);
});

test('while the read model is stopped or announcements fail, the log is read', async () => {
  for (const why of ['stopped', 'not told'] as const) {
    const { handle, context, create, id, token, find, say, announcements } = await opened();
    if (why === 'stopped') say({ state: 'stopped' });
    else announcements.isTold = false;
    assert.ok(await find(token));
    const other = await create();
    assert.is((await find(other.token))?.id, other.id, 'one that the read model lacks');
    const next = await rotateRunner({ handle })(id, context());
    assert.is((await find(token))?.isFormer, true);
    await confirmToken({ handle })(id, hashOfRunnerToken(next ?? ''), context());
    assert.is(await find(token), null);
    await revokeRunner({ handle })(other.id, context());
    assert.is(await find(other.token), null);
  }
});

test('a rotated token expires after a day, even if nothing else changes', async () => {
  const { handle, context, id, token, find, say, time } = await opened();
  say({ state: 'stopped' });
  await rotateRunner({ handle })(id, context());
  time.now += 86_399_999;
  assert.is((await find(token))?.isFormer, true);
  time.now += 1;
  assert.is(await find(token), null);
});

test('if the log is unavailable, the read model is trusted unless it is known to lack a revocation', async () => {
  const { source, token, find, say, log } = await opened();
  say({ state: 'stopped' });
  log.down = true;
  assert.ok(await find(token));
  source.takeEffect(2n);
  await rejects(find(token), StoreUnavailable);
});

test.run();
