import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTargetPolicy } from '../../../domain/target/policy.ts';
import { instantOf } from '../../../domain/time.ts';
import { systemClock } from '../../../network/clock.ts';
import { createRequestWebhook } from '../../../notifiers/webhook/response.ts';
import { challengeWebhook } from '../../../reactors/subscriptions/webhook-challenges.ts';
import {
  confirmationRequested,
  SUBSCRIBER,
  subscriberQuarantined,
  subscriberUnsubscribed,
} from '../../domain/subscriber/examples.ts';
import { resolveIn } from '../../probes/web/probing.ts';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import { ORGANIZATION, subscribedLog } from './subscriber-log.ts';

const test = suite('the webhook-challenges reactor');
test.after.each(closeServers);

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Request {
  body: string;
  headers: Record<string, string>;
}

/** Creates a subscriber with an endpoint in this process, and the reactor of a newly started process. */
const staged = async (answer: (request: Request) => { status?: number; body?: string }) => {
  const requests: Request[] = [];
  const { port } = await httpServer(({ headers }, response, body) => {
    const request = { body, headers: headers as Record<string, string> };
    requests.push(request);
    const { status = 200, body: responseBody = '' } = answer(request);
    response.writeHead(status).end(responseBody);
  });
  const log = subscribedLog();
  const secret = await log.seal('secret', SECRET);
  await log.subscribe(`http://127.0.0.1:${port}/hook`, { mode: 'webhook', secret });
  let challenges = 0;
  const challenge = async (changed_position = 10, number = 1) => {
    const now = instantOf(log.time.now);
    const item = { id: SUBSCRIBER, organization_id: ORGANIZATION, number, failed: 0, due_at: now, changed_position };
    const ask = createRequestWebhook({
      clock: systemClock,
      resolve: resolveIn({}),
      policyName: 'internal',
      policy: createTargetPolicy({ policy: 'internal' }),
    });
    const reactor = challengeWebhook({
      handle: log.handle(),
      keys: log.keys,
      ask,
      challenge: () => `challenge-${++challenges}`,
    });
    return reactor(item, { now, signal: new AbortController().signal, appended: new Map() });
  };
  return { log, requests, challenge };
};

const challengeIn = ({ body }: Request): string => (JSON.parse(body) as { challenge: string }).challenge;

test('a webhook that repeats its signed challenge is verified', async () => {
  const { log, requests, challenge } = await staged((request) => ({ body: challengeIn(request) }));
  assert.is((await challenge()).end, 'done');
  assert.equal(await log.types(), ['SubscriberAdded', 'SubscriberVerified']);
  const [request] = requests;
  if (!request) throw new Error('Nothing was sent.');
  assert.equal(JSON.parse(request.body), { event: 'subscription.verify', challenge: 'challenge-1' });
  new Webhook(SECRET).verify(request.body, request.headers);
});

test('a webhook is verified if it repeats its challenge as JSON', async () => {
  const { log, challenge } = await staged((request) => ({
    status: 202,
    body: JSON.stringify({ challenge: challengeIn(request) }),
  }));
  await challenge();
  assert.equal(await log.types(), ['SubscriberAdded', 'SubscriberVerified']);
});

test('the reason of a failed challenge contains neither the URL nor the host, which the log would otherwise store forever', async () => {
  const failing: [{ status?: number; body?: string }, RegExp][] = [
    [{ body: 'ok' }, /^Its response does not repeat the challenge\.$/],
    [{ status: 404, body: 'challenge-1' }, /^The answer of the webhook was 404\.$/],
    [{ status: 302, body: 'challenge-1' }, /^The answer of the webhook was 302, a redirect, which is not followed\.$/],
  ];
  for (const [answer, reason] of failing) {
    const { log, challenge } = await staged(() => answer);
    await challenge();
    const last = (await log.events()).at(-1);
    assert.is(last?.type, 'SubscriberChallengeFailed');
    assert.match((last?.data as { reason: string }).reason, reason);
  }
});

test('the reason of a refused connection does not contain the address', async () => {
  const { log, challenge } = await staged(() => ({}));
  await closeServers();
  await challenge();
  const last = (await log.events()).at(-1);
  assert.is((last?.data as { reason: string }).reason, 'Connecting failed to the webhook (ECONNREFUSED).');
});

test('a process that died after it stored the outcome changes nothing when it repeats the challenge', async () => {
  const { log, challenge } = await staged(() => ({ body: 'no' }));
  await challenge(10);
  await challenge(10);
  assert.equal(await log.types(), ['SubscriberAdded', 'SubscriberChallengeFailed']);
  await challenge(20);
  assert.is(((await log.events()).at(-1)?.data as { attempt: number }).attempt, 2);
});

test('an outdated challenge is not sent to a webhook that was removed or has subscribed again', async () => {
  const { log, requests, challenge } = await staged((request) => ({ body: challengeIn(request) }));
  assert.is((await challenge(10, 2)).end, 'done');
  await log.append(subscriberUnsubscribed());
  assert.is((await challenge()).end, 'done');
  assert.equal([requests.length, await log.types()], [0, ['SubscriberAdded', 'SubscriberUnsubscribed']]);
});

test('a quarantined webhook that subscribes again is challenged again, and failed challenges are counted', async () => {
  const { log, challenge } = await staged(() => ({ status: 500 }));
  await log.append(subscriberQuarantined());
  await log.append(confirmationRequested({ mode: 'webhook' }));
  await challenge();
  assert.is((await log.types()).at(-1), 'SubscriberChallengeFailed');
});

test('an endpoint whose address was forgotten is not challenged', async () => {
  const { log, requests, challenge } = await staged(() => ({}));
  await log.keys.forget(`subscriber-${SUBSCRIBER}-1`);
  await challenge();
  assert.equal([requests.length, (await log.types()).at(-1)], [0, 'SubscriberChallengeFailed']);
});

test.run();
