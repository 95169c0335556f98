import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LocalFailure } from '../../../network/local-failure.ts';
import { RunAborted, type Outcome, type RunnableCheck, type RunContext } from '../../../probes/engine/check-type.ts';
import { maskedRun } from '../../../probes/engine/masked-run.ts';
import { rejects } from '../../rejects.ts';

const test = suite('masking the outcome of a run');

const checkWith = (secrets: Record<string, string>): RunnableCheck => ({
  type: 'web',
  url: 'http://127.0.0.1/',
  host: null,
  port: null,
  timeout: 1,
  parameters: {},
  secrets,
});
const CONTEXT = {} as RunContext;
const outcome = (output: string): Outcome => ({
  status: 'failed',
  reason: 'content',
  response_time: 7,
  error_message: output,
  check_metadata: { logs: [{ message: output }], headers: { 'x-token': output } },
});

test('the outcome of a run contains no secret value in any encoding', async () => {
  const value = 'p&ss "word"';
  const run = maskedRun(async ({ secrets: { TOKEN = '' } }) =>
    outcome(`${TOKEN} ${encodeURIComponent(TOKEN)} ${JSON.stringify(TOKEN)} ${Buffer.from(TOKEN).toString('base64')}`),
  );
  const masked = '******** ******** "********" ********';
  assert.equal(await run(checkWith({ TOKEN: value }), CONTEXT), outcome(masked));
});

test('secrets that are too short are not masked in the outcome of a run', async () => {
  const run = maskedRun(async () => outcome('abc'));
  assert.equal(await run(checkWith({ TOKEN: 'abc' }), CONTEXT), outcome('abc'));
});

test('the outcome of a run without secrets is unchanged', async () => {
  const given = outcome('hunter2');
  assert.is(await maskedRun(async () => given)(checkWith({}), CONTEXT), given);
});

test('errors of a run contain no secret value', async () => {
  const check = checkWith({ TOKEN: 'hunter2' });
  const throwing = (error: unknown) =>
    maskedRun(() => {
      throw error;
    })(check, CONTEXT);
  await rejects(throwing(new TypeError('No hunter2 here.')), LocalFailure, 'No ******** here.');
  await rejects(throwing(new Error('It failed.', { cause: new Error('hunter2') })), LocalFailure, 'It failed.');
  await rejects(throwing(Object.assign(new Error('It failed.'), { token: 'hunter2' })), LocalFailure, 'It failed.');
  await rejects(throwing('hunter2'), LocalFailure, /^'?\*{8}'?$/);
  await rejects(throwing(new TypeError('Something else.')), TypeError, 'Something else.');
  await rejects(throwing(new RunAborted()), RunAborted);
});

test.run();
