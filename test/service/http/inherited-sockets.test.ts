import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { takeInheritedSockets } from '../../../service/http/inherited-sockets.ts';
import { OperatorError } from '../../../service/operator-error.ts';

const test = suite('listening sockets of a service manager');

const PID = 4711;
const given = (LISTEN_FDS: string, LISTEN_PID = PID.toString()): Record<string, string | undefined> => ({
  LISTEN_FDS,
  LISTEN_PID,
  LISTEN_FDNAMES: 'uptrail.socket',
  PATH: '/usr/bin',
});

test('the sockets begin at file descriptor 3, and child processes do not see the variables', () => {
  const environment = given('2');
  assert.equal(takeInheritedSockets(environment, PID, 2), [3, 4]);
  assert.equal(environment, { PATH: '/usr/bin' });
});

test('a process without these variables opens its sockets itself', () => {
  assert.is(takeInheritedSockets({ PATH: '/usr/bin' }, PID, 1), null);
  assert.is(takeInheritedSockets(given('0'), PID, 1), null);
});

test('variables that were meant for another process are ignored and removed', () => {
  const environment = given('1', '1');
  assert.is(takeInheritedSockets(environment, PID, 1), null);
  assert.equal(environment, { PATH: '/usr/bin' });
});

test('a wrong number of sockets is refused with an error that says how many are needed', () => {
  assert.throws(
    () => takeInheritedSockets(given('2'), PID, 1),
    (error: unknown) => error instanceof OperatorError && /passes 2 sockets .* needs one, for PORT/.test(error.message),
  );
  assert.throws(
    () => takeInheritedSockets(given('1'), PID, 2),
    /needs two: the first for PORT, the second for METRICS_PORT/,
  );
  assert.throws(() => takeInheritedSockets(given('many'), PID, 1), 'LISTEN_FDS must be a number, not "many".');
});

test.run();
