import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { alertPayload } from '../../../../api/v1/alerts/payload.ts';
import { fired } from '../../../domain/alert/examples.ts';
import { CHECK, checkCreated } from '../../../domain/check/examples.ts';
import { created as ruleCreated } from '../../../domain/alert-rule/examples.ts';
import { scopeOf } from '../../../queries/engine/scope.ts';

const test = suite('the payload about an alert');

test('the alert payload is the same whether or not runners are connected, in public regions and in private locations', async () => {
  for (const region of ['EU, West', 'private-a1b2c3d4e5f6']) {
    const firing = fired(1, undefined, { check_id: CHECK });
    const scope = scopeOf([ruleCreated, checkCreated({ parameters: { regions: [region] } }), firing]);
    const payload = await alertPayload({ ...scope, linkTo: () => Promise.resolve('') }, firing.data.alert_id);
    const check = payload?.['check'] as { suspended_reason: string | null };
    assert.is(check.suspended_reason, null, region);
  }
});

test.run();
