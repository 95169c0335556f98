import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobs } from '../../../projections/jobs/projection.ts';
import { CHECK, checkDeleted, ORGANIZATION } from '../../domain/check/examples.ts';
import {
  definition,
  JOB,
  jobCompleted,
  jobFailed,
  jobOffered,
  jobQueued,
  jobStarted,
  single,
} from '../../domain/job/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of jobs');
const given = projection(jobs).given;

const QUEUED_AT = '2026-11-20T15:00:00.000000';
const NEXT = '2026-11-20T15:00:01.000000';
const ENDS_BY = '2026-11-20T15:01:11.000000';

test('a new job is waiting and due immediately', async () => {
  const waiting = given(jobQueued());
  await waiting.then('jobs', {
    id: JOB,
    organization_id: ORGANIZATION,
    check_id: CHECK,
    check_parameters: definition(),
    job_type: 'existing_check',
    status: 'queued',
    created_at: QUEUED_AT,
    started_at: null,
    completed_at: null,
    error_message: null,
    result: null,
  });
  await waiting.then('open_jobs', {
    id: JOB,
    organization_id: ORGANIZATION,
    check_id: CHECK,
    status: 'waiting',
    created_at: QUEUED_AT,
    ends_by: ENDS_BY,
    due_at: QUEUED_AT,
    changed_position: 10,
  });
});

test('a queued job waits for a runner, and is due at the deadline of its outcome', async () => {
  const offered = given(jobQueued(), jobOffered);
  const job = await offered.document('jobs', JOB);
  assert.equal([job?.status, job?.started_at], ['queued', null]);
  const open = await offered.document('open_jobs', JOB);
  assert.equal([open?.status, open?.due_at], ['offered', ENDS_BY]);
});

test('a started job is due at the deadline of its outcome', async () => {
  const started = given(jobQueued(), jobStarted);
  const job = await started.document('jobs', JOB);
  assert.equal([job?.status, job?.started_at], ['started', NEXT]);
  const open = await started.document('open_jobs', JOB);
  assert.equal([open?.status, open?.due_at], ['offered', ENDS_BY]);
});

test('a completed job has its result, and is no longer on the list of open jobs', async () => {
  const completed = given(jobQueued(), jobStarted, jobCompleted);
  const job = await completed.document('jobs', JOB);
  assert.equal([job?.status, job?.completed_at, job?.result], ['completed', '2026-11-20T15:00:02.000000', single]);
  assert.is(job?.error_message, null);
  await completed.thenNone('open_jobs');
});

test('a failed job has its reason, and is no longer on the list of open jobs', async () => {
  const failed = given(jobQueued(), jobFailed);
  const job = await failed.document('jobs', JOB);
  assert.equal([job?.status, job?.completed_at, job?.started_at], ['failed', NEXT, null]);
  assert.is(job?.error_message, 'The check was deleted.');
  assert.is(job?.result, null);
  await failed.thenNone('open_jobs');
});

test('open jobs of a check are due when the check is deleted, and other jobs and ended jobs do not change', async () => {
  const other = { type: 'JobStarted', data: { job_id: 'job000000002', run_id: 'run000000002' } } as const;
  const history = given(
    jobQueued(),
    jobQueued({ job_id: 'job000000002' }),
    other,
    jobQueued({ job_id: 'job000000003', check_id: null, job_type: 'custom_check' }),
    jobQueued({ job_id: 'job000000004', check_id: 'check0000002' }),
    checkDeleted,
  );
  const due = (await history.documents('open_jobs')).map(({ id, due_at }) => [id, due_at]);
  const deletedAt = '2026-11-20T15:00:05.000000';
  assert.equal(due, [
    [JOB, deletedAt],
    ['job000000002', deletedAt],
    ['job000000003', '2026-11-20T15:00:03.000000'],
    ['job000000004', '2026-11-20T15:00:04.000000'],
  ]);
  await given(jobQueued(), jobCompleted, checkDeleted).thenNone('open_jobs');
  assert.is((await given(jobQueued(), jobCompleted, checkDeleted).document('jobs', JOB))?.status, 'completed');
});

test.run();

projectionRules(jobs, [
  jobQueued(),
  jobQueued({ job_id: 'job000000002' }),
  jobOffered,
  jobStarted,
  jobQueued({ job_id: 'job000000003', check_id: null, job_type: 'custom_check' }),
  { type: 'JobStarted', data: { job_id: 'job000000003', run_id: 'run000000003' } },
  jobCompleted,
  checkDeleted,
  { type: 'JobFailed', data: { job_id: 'job000000002', error_message: 'The check was deleted.' } },
]);
