import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MASKED_TEXT } from '../../../domain/masking.ts';
import { NotFound } from '../../../domain/errors.ts';
import { findExecutionGroup, listExecutionGroups } from '../../../queries/checks/execution-groups.ts';
import { findCheck } from '../../../queries/checks/find.ts';
import { findJob, hasJob, listJobs } from '../../../queries/checks/jobs.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { CHECK, checkCreated, checkDeleted, ORGANIZATION } from '../../domain/check/examples.ts';
import { GROUP, groupStarted } from '../../domain/execution-group/examples.ts';
import { definition, JOB, jobQueued } from '../../domain/job/examples.ts';
import { rejects } from '../../rejects.ts';
import { OTHER_ORGANIZATION, scopeOf } from '../engine/scope.ts';

const test = suite('queries of jobs and parallel runs');

const ALL = { page: 1, size: 100 };
const MASKED = { reveal: false };

test('a job of another organization is not found', async () => {
  const scope = scopeOf([jobQueued()]);
  assert.is((await findJob(scope, JOB, MASKED)).status, 'queued');
  const theirs = { ...scope, organizationId: OTHER_ORGANIZATION };
  await rejects(findJob(theirs, JOB, MASKED), NotFound, 'There is no such job.');
  assert.equal([await hasJob(scope, JOB), await hasJob(theirs, JOB)], [true, false]);
  assert.equal(await listJobs(theirs, {}, ALL, MASKED), { items: [], total: 0 });
});

test('the secrets of a job are masked unless they are revealed, in lists too', async () => {
  const keys = createMemoryKeys();
  const place = { organizationId: ORGANIZATION, field: 'parameters.http_request.password' };
  const parameters = { http_request: { password: await keys.seal(`job-${JOB}`, 'hush', place) } };
  const scope = scopeOf([jobQueued({ check_parameters: definition({ parameters }) })], { keys });
  const passwords = async (reveal: boolean) =>
    [await findJob(scope, JOB, { reveal }), ...(await listJobs(scope, {}, ALL, { reveal })).items].map(
      ({ check_parameters }) => check_parameters.parameters,
    );
  const shown = (password: string) => ({ http_request: { password } });
  assert.equal(await passwords(false), [shown(MASKED_TEXT), shown(MASKED_TEXT)]);
  assert.equal(await passwords(true), [shown('hush'), shown('hush')]);
});

test('a list of jobs can be filtered by status', async () => {
  const scope = scopeOf([jobQueued()]);
  assert.is((await listJobs(scope, { status: ['queued'] }, ALL, MASKED)).total, 1);
  assert.is((await listJobs(scope, { status: ['completed'] }, ALL, MASKED)).total, 0);
});

test('a parallel run is not found after its check was deleted or its results have expired', async () => {
  const facts = [checkCreated(), groupStarted()];
  const scope = scopeOf(facts);
  assert.is((await findExecutionGroup(scope, GROUP)).id, GROUP);
  const missing = [
    { ...scope, organizationId: OTHER_ORGANIZATION },
    scopeOf([...facts, checkDeleted]),
    scopeOf(facts, { resultsFrom: () => '2026-11-21T00:00:00.000000' }),
  ];
  for (const one of missing)
    await rejects(findExecutionGroup(one, GROUP), NotFound, 'There is no such execution group.');
});

test('the list of parallel runs of a check can be filtered by status, and contains no runs past retention', async () => {
  const facts = [checkCreated(), groupStarted()];
  const scope = scopeOf(facts);
  const check = await findCheck(scope, CHECK);
  assert.is((await listExecutionGroups(scope, check, {}, ALL)).total, 1);
  assert.is((await listExecutionGroups(scope, check, { status: ['completed'] }, ALL)).total, 0);
  const later = scopeOf(facts, { resultsFrom: () => '2026-11-21T00:00:00.000000' });
  assert.is((await listExecutionGroups(later, check, {}, ALL)).total, 0);
});

test.run();
