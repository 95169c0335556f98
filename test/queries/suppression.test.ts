import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readSuppressions } from '../../queries/suppression.ts';
import { CHECK } from '../domain/check/examples.ts';
import { added, byClock, scheduled } from '../domain/incident/examples.ts';
import { ORGANIZATION, OTHER_ORGANIZATION, scopeOf } from './engine/scope.ts';

const test = suite('the suppression of a check’s rules');

const begun = byClock('20:00', 'scheduled', 'in_progress');
const check = (tags: string[], organization_id = ORGANIZATION) => ({ id: CHECK, organization_id, tags });

test('a maintenance in progress suppresses the rules of checks with a tag of its components', async () => {
  const { read } = scopeOf([added('api', { check_tag: 'prod' }), scheduled(), begun]);
  const incidentOf = async (subject: ReturnType<typeof check>) =>
    (await readSuppressions(read, [subject])).get(CHECK)?.incident_id ?? null;
  assert.is(await incidentOf(check(['eu', 'prod'])), 'incident');
  assert.is(await incidentOf(check(['eu'])), null);
  assert.is(await incidentOf(check([])), null);
  assert.is(await incidentOf(check(['prod'], OTHER_ORGANIZATION)), null);
});

test('the suppression of checks without tags is determined without reading tags', async () => {
  const { read, reads } = scopeOf([added('api', { check_id: CHECK }), scheduled(), begun]);
  assert.is((await readSuppressions(read, [check([])])).get(CHECK)?.incident_id, 'incident');
  assert.equal(reads, ['quiet_checks.getMany', 'maintenances.getMany']);
});

test.run();
