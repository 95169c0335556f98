import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NotAnswering, watchAnswers } from '../../stores/answering.ts';
import { rejects } from '../rejects.ts';
import { eventually, realPause } from '../waiting.ts';

const test = suite('a server that stops answering');

const TIMINGS = { patience: 30, word: 60, pause: 10 };

/** A server that can be frozen: what it is asked meanwhile is answered when it goes on. */
const someServer = () => {
  let frozen: (() => void)[] | null = null;
  let asked = 0;
  const answer = async (): Promise<string> => {
    await new Promise<void>((resolve) => {
      if (frozen) frozen.push(resolve);
      else resolve();
    });
    return 'an answer';
  };
  return {
    answer,
    ask: () => {
      asked += 1;
      return answer();
    },
    asked: () => asked,
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
  const told: (string | null)[] = [];
  const answering = watchAnswers({ ask: server.ask, changed: (silence) => told.push(silence), timings: TIMINGS });
  return { ...server, told, answering };
};

test('is noticed by a call without an answer, which is given up; what is asked then is refused without being sent', async () => {
  const { answer, answering, freeze, thaw, told } = watched();
  freeze();
  await rejects(answering.call(answer), NotAnswering, 'it did not answer in time');
  let sent = false;
  await rejects(
    answering.call(async () => {
      sent = true;
    }),
    NotAnswering,
  );
  assert.not(sent);
  thaw();
  await eventually(() => answering.silence === null);
  assert.is(await answering.call(answer), 'an answer');
  assert.equal(told, ['it did not answer in time', null]);
  answering.close();
});

test('is waited for by calls whose outcome must be seen', async () => {
  const { answer, answering, freeze, thaw } = watched();
  freeze();
  const awaited = answering.call(answer, { awaited: true });
  await rejects(answering.call(answer), NotAnswering);
  await rejects(answering.call(answer, { awaited: true }), NotAnswering);
  thaw();
  assert.is(await awaited, 'an answer');
  answering.close();
});

test('is not thought of while it answers a small question, however long a call takes', async () => {
  const { answering, asked, told } = watched();
  const long = realPause(300, 'ten times as long as an answer may take').then(() => 'a long answer');
  assert.is(await answering.call(() => long), 'a long answer');
  assert.ok(asked() > 0);
  assert.equal(told, []);
  answering.close();
});

test('is not asked for while its calls are answered, nor while there are none', async () => {
  const { answer, answering, asked } = watched();
  for (let calls = 0; calls < 20; calls++) {
    await answering.call(answer);
    await realPause(10, 'calls follow each other for longer than an answer may take');
  }
  await realPause(100, 'nothing is asked meanwhile');
  assert.is(asked(), 0);
  answering.close();
});

test('says why it can not be reached', async () => {
  const answering = watchAnswers({
    ask: async () => {
      throw new Error('connect ECONNREFUSED');
    },
    timings: TIMINGS,
  });
  await rejects(
    answering.call(() => new Promise(() => undefined)),
    NotAnswering,
    'connect ECONNREFUSED',
  );
  assert.is(answering.silence, 'connect ECONNREFUSED');
  answering.close();
});

test.run();
