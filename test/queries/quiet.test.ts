import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { quietOf } from '../../queries/quiet.ts';
import { CHECK } from '../domain/check/examples.ts';
import { added, byClock, scheduled } from '../domain/incident/examples.ts';
import { ORGANIZATION, OTHER_ORGANIZATION, scopeOf } from './engine/scope.ts';

const test = suite('what keeps the rules of a check quiet');

const begun = byClock('20:00', 'scheduled', 'in_progress');
const check = (tags: string[], organization_id = ORGANIZATION) => ({ id: CHECK, organization_id, tags });

test('is a maintenance in progress that names a component with one of its tags', async () => {
  const { read } = scopeOf([added('api', { check_tag: 'prod' }), scheduled(), begun]);
  const incidentOf = async (of: ReturnType<typeof check>) =>
    (await quietOf(read, [of])).get(CHECK)?.incident_id ?? null;
  assert.is(await incidentOf(check(['eu', 'prod'])), 'incident');
  assert.is(await incidentOf(check(['eu'])), null);
  assert.is(await incidentOf(check([])), null);
  assert.is(await incidentOf(check(['prod'], OTHER_ORGANIZATION)), null);
});

test('is looked up by no tag where the checks have none', async () => {
  const { read, reads } = scopeOf([added('api', { check_id: CHECK }), scheduled(), begun]);
  assert.is((await quietOf(read, [check([])])).get(CHECK)?.incident_id, 'incident');
  assert.equal(reads, ['quiet_checks.getMany', 'maintenances.getMany']);
});

test.run();
