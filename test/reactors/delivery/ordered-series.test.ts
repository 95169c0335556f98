import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { shortPause } from '../reactor-harness.ts';
import { received, refused, stage, type DeliveryStageOptions } from './stage.ts';
import { eventually } from '../../waiting.ts';

const test = suite('messages of an ordered series');

/** Creates a cause that fired and was then resolved, and a target that accepts no message. */
const firedAndResolved = async (conditions: DeliveryStageOptions = {}) => {
  const at = await stage();
  at.inviting(1);
  const sent: string[] = [];
  const state = { answer: refused(false, 500) };
  const send: DeliveryStageOptions['send'] = async (_, { subject }) => {
    sent.push(subject);
    return subject === 'fired' ? state.answer : received;
  };
  const first = await at.start({ send, ...conditions });
  at.happens('fired', { series: 'alert', in_order: true });
  await eventually(async () => (await at.deliveries())[0]?.attempt_count === 1);
  at.happens('resolved', { series: 'alert', in_order: true });
  await eventually(async () => (await at.deliveries()).length === 2);
  const statuses = async () => (await at.deliveries()).map(({ status }) => status).sort();
  /** Advances the clock until all deliveries have ended. */
  const toTheEnd = async (): Promise<string[]> => {
    await eventually(async () => {
      at.pass(60_000);
      return !(await statuses()).includes('planned');
    });
    return statuses();
  };
  return { at, sent, state, send, first, toTheEnd };
};

test('a message waits until the previous message of its series was received, and no message is dropped', async () => {
  const { at, sent, state, first, toTheEnd } = await firedAndResolved();
  await shortPause();
  assert.equal(sent, ['fired']);
  state.answer = received;
  assert.equal(await toTheEnd(), ['delivered', 'delivered']);
  assert.equal(sent, ['fired', 'fired', 'resolved']);
  await first.stop();
  await at.close();
});

test('a message is sent although the previous message of its series failed permanently', async () => {
  const { at, sent, first, toTheEnd } = await firedAndResolved();
  assert.equal(await toTheEnd(), ['delivered', 'given_up']);
  assert.equal(sent.at(-1), 'resolved');
  assert.is(sent.filter((subject) => subject === 'resolved').length, 1);
  await first.stop();
  await at.close();
});

test('messages of a series keep their order when another process takes over', async () => {
  const { at, sent, state, send, first, toTheEnd } = await firedAndResolved();
  first.kill();
  state.answer = received;
  const second = await at.start({ send });
  assert.equal(await toTheEnd(), ['delivered', 'delivered']);
  assert.equal(sent, ['fired', 'fired', 'resolved']);
  await second.stop();
  await at.close();
});

test('messages of different series do not wait for each other', async () => {
  const { at, sent, first } = await firedAndResolved();
  at.happens('else', { series: 'another', in_order: true });
  await eventually(() => sent.includes('else'));
  assert.not(sent.includes('resolved'));
  await first.stop();
  await at.close();
});

test.run();
