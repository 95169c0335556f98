import { suite } from 'uvu';
import { updateCheck } from '../../../domain/check/decide.ts';
import { abandonRestoration, restoreCheck } from '../../../domain/check/restore.ts';
import { closeClaim, isClosedTo } from '../../../domain/check/secrets.ts';
import { checkDecider, type Check } from '../../../domain/check/state.ts';
import { NotFound } from '../../../domain/errors.ts';
import type { EventOf } from '../../../domain/event-types.ts';
import * as assert from 'uvu/assert';
import { specification } from '../specification.ts';
import {
  binding,
  CHECK,
  checkCreated,
  checkDeleted,
  checkGrouped,
  checkRestored,
  checkUpdated,
  GROUP,
  ORGANIZATION,
  parked,
} from './examples.ts';

const check = specification(checkDecider);
const test = suite('a deleted check');

const restoring =
  (at: string, secrets = [] as ReturnType<typeof binding>[]) =>
  (state: Check) =>
    restoreCheck(state, ORGANIZATION, secrets, `2026-11-20T${at}.000000`);
const abandoned: EventOf<'CheckRestorationAbandoned'> = {
  type: 'CheckRestorationAbandoned',
  data: { check_id: CHECK },
};
const claimClosed: EventOf<'CheckSecretClaimClosed'> = {
  type: 'CheckSecretClaimClosed',
  data: { check_id: CHECK, secret_id: binding().secret_id, claim: 2 },
};

test('a deleted check is restored unchanged within 30 seconds', () => {
  check
    .given(
      checkCreated(),
      checkUpdated({ interval: 300, active: false }, { interval: 60, active: true }),
      checkGrouped(),
      parked(),
      checkDeleted,
    )
    .when(restoring('15:10:20'))
    .then(checkRestored({ active: false, interval: 300, parked: true, group_id: GROUP, position: 1 }));
  check
    .given(checkCreated(), checkDeleted)
    .when(restoring('15:10:30'))
    .then(checkRestored({ restored_at: '2026-11-20T15:10:30.000000' }));
});

test("a deleted check can't be restored after 30 seconds, or if its deletion event has no definition", () => {
  check.given(checkCreated(), checkDeleted).when(restoring('15:10:31')).throws(NotFound, 'There is no such check.');
  check
    .given(checkCreated(), { type: 'CheckDeleted', data: { check_id: CHECK } })
    .when(restoring('15:10:20'))
    .throws(NotFound, 'There is no such check.');
  check.given().when(restoring('15:10:20')).throws(NotFound, 'There is no such check.');
});

test('a deleted check can be restored if the clock was set back', () => {
  const restored_at = '2026-11-19T15:10:20.000000';
  check
    .given(checkCreated(), checkDeleted)
    .when((state) => restoreCheck(state, ORGANIZATION, [], restored_at))
    .then(checkRestored({ restored_at }));
});

test('a restored check can be changed from its earlier state', () => {
  check
    .given(checkCreated({ name: 'Shop' }), checkDeleted, checkRestored())
    .when((state) => updateCheck(state, { name: 'Store' }, undefined))
    .then(checkUpdated({ name: 'Store' }, { name: 'Shop' }));
});

test('a restored check can be deleted and restored again', () => {
  check
    .given(checkCreated(), checkDeleted, checkRestored(), checkDeleted)
    .when(restoring('15:10:20'))
    .then(checkRestored());
});

test('the claims of a deleted check on secrets are released, and newer claims can be closed', () => {
  const bound = [checkCreated({}, undefined, [binding()]), checkDeleted];
  const fold = (...events: Parameters<typeof checkDecider.evolve>[1][]) =>
    events.reduce<Check>(checkDecider.evolve, checkDecider.initialState);
  const { secret_id } = binding();
  assert.is(isClosedTo(fold(...bound), secret_id, 1), true);
  assert.is(isClosedTo(fold(...bound), secret_id, 2), false);
  check
    .given(...bound)
    .when((state) => closeClaim(state, CHECK, secret_id, 2))
    .then(claimClosed);
  assert.is(isClosedTo(fold(...bound, claimClosed), secret_id, 2), true);
  const restored = fold(...bound, claimClosed, checkRestored({ secrets: [binding({ claim: 3 })] }));
  assert.equal(restored.status === 'pending' && restored.secrets, [binding({ claim: 3 })]);
  assert.is(isClosedTo(restored, secret_id, 2), true);
});

test('an abandoned restoration of a check is recorded, and the check can still be restored afterwards', () => {
  check
    .given(checkCreated(), checkDeleted)
    .when((state) => abandonRestoration(state, CHECK))
    .then(abandoned);
  check
    .given(checkCreated())
    .when((state) => abandonRestoration(state, CHECK))
    .thenNothing();
  check.given(checkCreated(), checkDeleted, abandoned).when(restoring('15:10:20')).then(checkRestored());
});

test.run();
