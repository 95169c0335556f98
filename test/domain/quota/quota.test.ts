import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { abandonCheck, createCheck } from '../../../domain/check/decide.ts';
import { checkDecider } from '../../../domain/check/state.ts';
import { NotFound } from '../../../domain/errors.ts';
import { abandonPage } from '../../../domain/page/decide.ts';
import { pageDecider } from '../../../domain/page/state.ts';
import { claimSlot, QuotaSlotLost, quotaDecider, quotaId, releaseSlot } from '../../../domain/quota/quota.ts';
import { deleteCheck } from '../../../domain/check/decide.ts';
import { specification } from '../specification.ts';

const OF = { organizationId: 'org000000001', kind: 'checks' } as const;
const quota = specification(quotaDecider);
const first = claimSlot(OF, 'check000001', [], 30);
const second = claimSlot(OF, 'check000002', ['check000001'], 40);

test('a quota claim is open until a later claim shows that its resource was counted', () => {
  const { claims, countedUpTo } = [first, second].reduce(quotaDecider.evolve, quotaDecider.initialState);
  assert.equal([...claims], ['check000002']);
  assert.is(countedUpTo, 40);
  assert.is(first.data.counted_up_to, 0);
});

test("a quota claim is released once, and a settled claim can't be released", () => {
  const released = {
    type: 'QuotaReleased',
    data: { organization_id: OF.organizationId, kind: 'checks', claimed_id: 'check000002' },
  } as const;
  const claimed = quota.given(first, second);
  claimed.when((state) => releaseSlot(state, OF, 'check000002')).then(released);
  claimed.when((state) => releaseSlot(state, OF, 'check000001')).thenNothing();
  quota
    .given(second, released)
    .when((state) => releaseSlot(state, OF, 'check000002'))
    .thenNothing();
});

test('an organization has a separate quota for each kind of resource', () => {
  assert.is(quotaId(OF), 'org000000001_checks');
});

test('a resource whose quota claim was closed before its creation is never created, and counts as nonexistent', () => {
  const abandoned = { type: 'CheckCreationAbandoned', data: { check_id: 'check000001' } } as const;
  const check = specification(checkDecider);
  check
    .given()
    .when((state) => abandonCheck(state, 'check000001'))
    .then(abandoned);
  const closed = check.given(abandoned);
  closed.when((state) => abandonCheck(state, 'check000001')).thenNothing();
  closed.when((state) => createCheck(state, 'check000001', OF.organizationId, {} as never)).throws(QuotaSlotLost);
  closed.when((state) => deleteCheck(state, '2026-11-20T15:00:00.000000')).throws(NotFound);
  specification(pageDecider)
    .given()
    .when((state) => abandonPage(state, 'page0000001'))
    .then({ type: 'PageCreationAbandoned', data: { page_id: 'page0000001' } });
});

test.run();
