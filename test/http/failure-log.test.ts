import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFailureLog } from '../../http/failure-log.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';

const logging = suite('the log of failed requests');

const stage = () => {
  const lines: { level: string; fields: Record<string, unknown>; message: string }[] = [];
  const at = (level: string) => (fields: Record<string, unknown>, message: string) =>
    lines.push({ level, fields, message });
  let time = 0;
  const log = createFailureLog({ warn: at('warn'), error: at('error') } as never, () => time);
  return { lines, log, pass: (milliseconds: number) => (time += milliseconds) };
};

const FULL = new StoreUnavailable('The disk is full.');

logging('unavailable stores are logged once a minute for each reason, without stacks', () => {
  const { lines, log, pass } = stage();
  for (let times = 0; times < 315; times++) log({ requestId: `r${times}`, status: 503, error: FULL });
  log({ requestId: 'other', status: 503, error: new StoreUnavailable('It is frozen.') });
  pass(60_000);
  log({ requestId: 'later', status: 503, error: FULL });
  pass(60_000);
  log({ requestId: 'last', status: 503, error: FULL });
  assert.equal(
    lines.map(({ level, fields }) => [level, fields]),
    [
      ['warn', { requestId: 'r0', reason: 'The disk is full.' }],
      ['warn', { requestId: 'other', reason: 'It is frozen.' }],
      ['warn', { requestId: 'later', reason: 'The disk is full.', before: 314 }],
      ['warn', { requestId: 'last', reason: 'The disk is full.' }],
    ],
  );
});

logging('the failure log contains the cause of a reason', () => {
  const { lines, log } = stage();
  const error = new StoreUnavailable('The log can not be written.', { cause: new Error('SQLITE_FULL') });
  log({ requestId: 'one', status: 503, error });
  assert.is(lines[0]?.fields['reason'], 'The log can not be written. (SQLITE_FULL)');
});

logging('every unexpected error is logged with its stack', () => {
  const { lines, log } = stage();
  const defect = new TypeError('undefined is no function');
  for (const requestId of ['one', 'two']) log({ requestId, status: 500, error: defect });
  assert.equal(
    lines.map(({ level, fields }) => [level, fields['err']]),
    [
      ['error', defect],
      ['error', defect],
    ],
  );
});

logging.run();
