import { suite } from 'uvu';
import { Conflict } from '../../../domain/errors.ts';
import { completeJob, failJob, dispatchJob, queueJob, startJob } from '../../../domain/job/decide.ts';
import { jobDecider } from '../../../domain/job/state.ts';
import { specification } from '../specification.ts';
import { jobCompleted, jobFailed, jobOffered, jobQueued, jobStarted, newJob, single } from './examples.ts';

const test = suite('a job');
const job = specification(jobDecider);
const SENTENCE = 'The check was deleted.';

test('a job is queued with the definition of a check or with an unsaved definition', () => {
  job
    .given()
    .when((state) => queueJob(state, newJob()))
    .then(jobQueued());
  job
    .given()
    .when((state) => queueJob(state, newJob({ checkId: null, userId: 'user00000001' })))
    .then(jobQueued({ check_id: null, job_type: 'custom_check', user_id: 'user00000001' }));
});

test('a job is queued once', () => {
  job
    .given(jobQueued())
    .when((state) => queueJob(state, newJob()))
    .throws(Conflict, 'The job already exists.');
});

test('a job is dispatched once, with the run id that follows from the job', () => {
  job.given(jobQueued()).when(dispatchJob).then(jobOffered);
  job.given(jobQueued(), jobOffered).when(dispatchJob).thenNothing();
  // Earlier releases recorded a dispatched job as started.
  job.given(jobQueued(), jobStarted).when(dispatchJob).thenNothing();
});

test('a job starts once, when the first runner begins its run', () => {
  job.given(jobQueued(), jobOffered).when(startJob).then(jobStarted);
  job.given(jobQueued(), jobOffered, jobStarted).when(startJob).thenNothing();
});

test('a job is completed with the outcome of its run', () => {
  const complete = (state: Parameters<typeof completeJob>[0]) => completeJob(state, single);
  job.given(jobQueued(), jobStarted).when(complete).then(jobCompleted);
  // A restored backup can contain results that are newer than its jobs.
  job.given(jobQueued()).when(complete).then(jobCompleted);
});

test('a queued or started job fails with an error message', () => {
  const fail = (state: Parameters<typeof failJob>[0]) => failJob(state, SENTENCE);
  job.given(jobQueued()).when(fail).then(jobFailed);
  job.given(jobQueued(), jobStarted).when(fail).then(jobFailed);
});

test('a job keeps its first outcome', () => {
  for (const outcome of [jobCompleted, jobFailed]) {
    const ended = job.given(jobQueued(), jobStarted, outcome);
    ended.when(dispatchJob).thenNothing();
    ended.when(startJob).thenNothing();
    ended.when((state) => completeJob(state, single)).thenNothing();
    ended.when((state) => failJob(state, SENTENCE)).thenNothing();
  }
});

test('a job that was never queued is ignored', () => {
  const absent = job.given();
  absent.when(dispatchJob).thenNothing();
  absent.when(startJob).thenNothing();
  absent.when((state) => completeJob(state, single)).thenNothing();
  absent.when((state) => failJob(state, SENTENCE)).thenNothing();
});

test.run();
