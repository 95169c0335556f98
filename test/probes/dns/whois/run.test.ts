import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { verdictOf, ok } from '../../run-context.ts';
import { probe } from '../probing.ts';
import { answering, NXDOMAIN, soa, type ReceivedQuestion, type Response } from '../zone-server.ts';
import { shortOfTime } from './look-up.ts';
import { IANA, localWorld, REGISTRY, type World } from './registries.ts';
import { DAY_SECONDS } from '../../../../domain/time.ts';

const runs = suite('registrations in dns checks');

/** Returns the instant that is this many days and twelve hours from now. */
const inDays = (days: number): string => new Date(Date.now() + (days + 0.5) * DAY_SECONDS * 1_000).toISOString();

/** Simulates a registry with a registration of the domain that expires at this date. */
const registered = (eventDate: string): World => ({
  rdap: (_, response) => {
    const events = [
      { eventAction: 'registration', eventDate: '2001-02-03T04:05:06Z' },
      { eventAction: 'expiration', eventDate },
    ];
    response.setHeader('content-type', 'application/rdap+json');
    response.end(
      JSON.stringify({
        objectClassName: 'domain',
        ldhName: 'EXAMPLE.COM',
        status: ['client transfer prohibited'],
        events,
      }),
    );
  },
});
const nobody: World = { bootstrap: () => '', whois: () => '' };

const address = ({ name, type }: ReceivedQuestion): Response =>
  type === 'A' ? { answers: [{ type, name, data: '192.0.2.1' }] } : { authorities: [soa('example.com')] };

interface Given {
  world?: World;
  respond?: (requested: ReceivedQuestion) => Response | null;
  parameters?: Record<string, unknown>;
  timeout?: number;
}

const run = async ({ world = registered(inDays(100)), respond = address, parameters = {}, timeout = 20 }: Given) => {
  const [server, registries] = [await answering(respond), await localWorld(world)];
  try {
    const outcome = await probe('www.example.com', {
      parameters: { dns_servers: [server.address], whois_lookup: true, ...parameters },
      registries: registries.registries,
      memory: shortOfTime(),
      timeout,
    });
    return {
      ...outcome,
      asked: registries.requests,
      sentence: outcome.error_message?.replace(server.address, 'SERVER'),
    };
  } finally {
    await server.close();
    await registries.close();
  }
};
const ending = (date: string): Given => ({
  world: registered(date),
  parameters: { assertions: { domain_expiration_threshold: 30 * DAY_SECONDS } },
});

runs('a dns check looks up the registration only if the check is configured to', async () => {
  const { asked, check_metadata } = await run({ parameters: { whois_lookup: false } });
  assert.equal(asked, []);
  assert.not('whois_info' in check_metadata);
  assert.not('whois_error' in check_metadata);
});

runs('a dns check shows the registration', async () => {
  const outcome = await run({});
  assert.equal(verdictOf(outcome), ok);
  const { whois_info: info, whois_error } = outcome.check_metadata;
  assert.is(whois_error, null);
  assert.ok(info);
  assert.is(info.domain_name, 'example.com');
  assert.equal(info.status, ['clientTransferProhibited']);
  assert.match(info.creation_date ?? '', /^2001-02-03T04:05:06/);
});

const UNKNOWN =
  /127\.0\.0\.1:\d+ gave no list of RDAP servers \(HTTP status 503\)\. The registry of \.com has no WHOIS server\.$/;
const UNCHECKED = /has no WHOIS server\. So domain_expiration_threshold was not checked\.$/;

runs('an unknown registration does not change the status of a dns check, and the reason is shown', async () => {
  const outcome = await run({ world: nobody });
  assert.equal(verdictOf(outcome), ok);
  assert.is(outcome.check_metadata.whois_info, null);
  assert.match(outcome.check_metadata.whois_error ?? '', UNKNOWN);
});

runs('a dns check reports that its threshold is not applied if the expiry date is unknown', async () => {
  const silent = await run({ ...ending(inDays(1)), world: nobody });
  assert.equal(verdictOf(silent), ok);
  assert.match(silent.check_metadata.whois_error ?? '', UNCHECKED);

  const endless: World = {
    rdap: (_, response) => response.end('{"objectClassName":"domain","ldhName":"example.com"}'),
    whois: (server) => (server === IANA ? `whois: ${REGISTRY}\n` : 'Domain: example.com\nChanged: 2026-03-12\n'),
  };
  const without = await run({ ...ending(inDays(1)), world: endless });
  assert.equal(verdictOf(without), ok);
  assert.is(
    without.check_metadata.whois_error,
    'No registry says when the registration of example.com ends. So domain_expiration_threshold was not checked.',
  );
  assert.is(without.check_metadata.whois_info?.updated_date, '2026-03-12T00:00:00.000Z');
});

runs('a dns check keeps its answer if a registry does not respond', async () => {
  const outcome = await run({ world: { bootstrap: () => '', whois: () => null }, timeout: 1 });
  assert.equal(verdictOf(outcome), ok);
  assert.equal(outcome.check_metadata.answers, ['192.0.2.1']);
  assert.is(outcome.check_metadata.whois_info, null);
  assert.match(outcome.check_metadata.whois_error ?? '', /\.$/);
});

runs('a dns check fails if the registration expires within the threshold', async () => {
  assert.equal(verdictOf(await run(ending(inDays(40)))), ok);
  const date = inDays(3);
  const { status, reason, sentence, response_time } = await run(ending(date));
  assert.equal([status, reason], ['failed', 'domain']);
  assert.is(sentence, `The registration of example.com expires in 3 days, on ${date.slice(0, 10)}. Renew it.`);
  assert.ok(response_time !== null);
});

runs('a dns check without a threshold does not fail, even if the registration has expired', async () => {
  assert.equal(verdictOf(await run({ world: registered(inDays(-10)) })), ok);
});

runs('an expired registration is given as the explanation of wrong dns answers', async () => {
  const gone = () => ({ rcode: NXDOMAIN, authorities: [soa('com')] });
  const { status, reason, sentence } = await run({ world: registered(inDays(-10)), respond: gone });
  assert.equal([status, reason], ['failed', 'answer']);
  assert.match(
    sentence ?? '',
    /^www\.example\.com does not exist in the zone com \(NXDOMAIN from SERVER\)\. The registration of example\.com expired on .* Renew it\.$/,
  );
});

runs('a dns check shows the registration even if no name server responds', async () => {
  const { status, reason, check_metadata } = await run({ respond: () => null, timeout: 1 });
  assert.equal([status, reason], ['down', 'timeout']);
  assert.is(check_metadata.whois_info?.domain_name, 'example.com');
});

runs.run();
