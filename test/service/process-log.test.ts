import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bufferLines, terminalLines } from '../../service/process-log.ts';
import { eventually } from '../waiting.ts';

const test = suite('the log of the process on a terminal');

const written = (log: (logger: ReturnType<typeof pino>) => void): string => {
  let text = '';
  const write = (line: string): boolean => {
    text += line;
    return true;
  };
  log(
    pino({ level: 'info', timestamp: () => `,"time":${Date.UTC(2026, 10, 20, 15, 4, 5)}` }, terminalLines({ write })),
  );
  return text;
};

test('the process log on a terminal has one line for each entry, with time, level, message and fields', () => {
  const text = written((logger) => {
    logger.warn({ projection: 'pages', lag: 3, error: null }, 'it is late');
    logger.debug('nobody reads this');
  });
  assert.is(text, '15:04:05 warn  it is late projection=pages lag=3\n');
});

test('the process log on a terminal escapes control characters in external text', () => {
  const text = written((logger) => {
    logger.warn({ path: '/\u009b2J', list: ['\u009b'] }, 'check "\u001b]0;owned\u0007" went down');
    logger.error({ err: new Error('\u001b[2J') }, 'it failed');
  });
  assert.not.match(text.replaceAll('\n', ''), /\p{Cc}/u);
});

test('the process log on a terminal shows the stack of an error', () => {
  const text = written((logger) => {
    logger.error({ err: new Error('broken') }, 'it failed');
  });
  assert.match(text, /^15:04:05 error it failed Error: broken\n {4}at .*process-log\.test\.ts/);
});

test.run();

const programs = suite('the log of the process as JSON');

programs('the JSON process log buffers only lines below the warning level, and keeps their order', async () => {
  const written: string[] = [];
  const lines = bufferLines({ write: (text) => written.push(text) });
  const logger = pino({ base: null, timestamp: false }, lines);
  logger.info('one');
  logger.info('two');
  assert.equal(written, []);
  logger.warn('three');
  assert.equal(written.splice(0), ['{"level":30,"msg":"one"}\n{"level":30,"msg":"two"}\n{"level":40,"msg":"three"}\n']);
  logger.info('four');
  lines.flush();
  assert.equal(written.splice(0), ['{"level":30,"msg":"four"}\n']);
  logger.info('five');
  await eventually(() => written.length > 0);
  assert.equal(written, ['{"level":30,"msg":"five"}\n']);
});

programs.run();
