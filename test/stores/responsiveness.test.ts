import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ServerUnresponsive, watchResponsiveness } from '../../stores/responsiveness.ts';
import { rejects } from '../rejects.ts';
import { eventually, realPause } from '../waiting.ts';

const test = suite('a server that stops responding');

const TIMINGS = { patience: 30, probe: 60, pause: 10 };

/**
 * Creates a server that can be frozen. After it resumes, it responds to the calls that it received while it was frozen.
 */
const someServer = () => {
  let frozen: (() => void)[] | null = null;
  let asked = 0;
  const respond = async (): Promise<string> => {
    await new Promise<void>((resolve) => {
      if (frozen) frozen.push(resolve);
      else resolve();
    });
    return 'an answer';
  };
  return {
    answer: respond,
    ask: () => {
      asked += 1;
      return respond();
    },
    requests: () => asked,
    freeze: () => {
      frozen = [];
    },
    thaw: () => {
      const waiting = frozen ?? [];
      frozen = null;
      for (const resolve of waiting) resolve();
    },
  };
};

const watched = () => {
  const server = someServer();
  const reports: (string | null)[] = [];
  const answering = watchResponsiveness({
    probe: server.ask,
    onChange: (silence) => reports.push(silence),
    timings: TIMINGS,
  });
  return { ...server, reports, answering };
};

test('a call without a response fails and shows that the server is frozen, and later calls are refused without being sent', async () => {
  const { answer: respond, answering, freeze, thaw, reports } = watched();
  freeze();
  await rejects(answering.call(respond), ServerUnresponsive, 'it did not respond in time');
  let sent = false;
  await rejects(
    answering.call(async () => {
      sent = true;
    }),
    ServerUnresponsive,
  );
  assert.not(sent);
  thaw();
  await eventually(() => answering.silence === null);
  assert.is(await answering.call(respond), 'an answer');
  assert.equal(reports, ['it did not respond in time', null]);
  answering.close();
});

test('a call without a time limit continues to wait for a frozen server', async () => {
  const { answer: respond, answering, freeze, thaw } = watched();
  freeze();
  const awaited = answering.call(respond, { awaited: true });
  await rejects(answering.call(respond), ServerUnresponsive);
  await rejects(answering.call(respond, { awaited: true }), ServerUnresponsive);
  thaw();
  assert.is(await awaited, 'an answer');
  answering.close();
});

test('a server that responds to probes does not count as frozen, even if a call takes long', async () => {
  const { answering, requests, reports } = watched();
  const long = realPause(300, 'ten times as long as a response may take').then(() => 'a slow response');
  assert.is(await answering.call(() => long), 'a slow response');
  assert.ok(requests() > 0);
  assert.equal(reports, []);
  answering.close();
});

test('a server is not probed while calls get responses, nor while there are no calls', async () => {
  const { answer: respond, answering, requests } = watched();
  for (let calls = 0; calls < 20; calls++) {
    await answering.call(respond);
    await realPause(10, 'calls follow each other for longer than a response may take');
  }
  await realPause(100, 'no probe is sent meanwhile');
  assert.is(requests(), 0);
  answering.close();
});

test('a server that can not be reached is reported with the reason', async () => {
  const answering = watchResponsiveness({
    probe: async () => {
      throw new Error('connect ECONNREFUSED');
    },
    timings: TIMINGS,
  });
  await rejects(
    answering.call(() => new Promise(() => undefined)),
    ServerUnresponsive,
    'connect ECONNREFUSED',
  );
  assert.is(answering.silence, 'connect ECONNREFUSED');
  answering.close();
});

test.run();
