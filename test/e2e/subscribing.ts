import { join } from 'node:path';
import { simpleParser, type ParsedMail } from 'mailparser';
import * as assert from 'uvu/assert';
import { systemEvent } from '../../domain/system-event.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { instantOf } from '../../domain/time.ts';
import { readConfig } from '../../service/config/config.ts';
import { openKeys, openLog, siteOf } from '../../service/stores.ts';
import { webhookAdded } from '../domain/subscriber/examples.ts';
import type { Mailbox } from '../notifiers/email/mailbox.ts';
import { freePort } from '../servers/ports.ts';
import { callApi, storageEnvironment, uptrail, type RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

/** Returns the environment of a program that sends e-mail with links to itself. */
export const mailingEnvironment = async (folder: string, mailbox: Mailbox) => {
  const PORT = (await freePort()).toString();
  return {
    DATA_DIR: join(folder, 'data'),
    ADMIN_API_KEY: 'the-admin-key-of-this-test',
    PORT,
    PUBLIC_URL: `http://127.0.0.1:${PORT}`,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'status@example.org',
  };
};

/** Waits until the delivery reactor of a new service is active. The reactor ignores events from before that time. */
export const waitUntilNotifying = async (environment: Record<string, string>): Promise<void> => {
  const listed = async () => (await uptrail(environment, 'reactors', '--json')).stdout;
  await eventually(async () => !(await listed()).includes('"state":"new"'), { within: 60_000 });
};

/** Subscribes without an API key, as a form on a website does. */
export const signUp = async (
  { address }: RunningProgram,
  page: string,
  body: object = { mode: 'email', email: 'ida@example.com' },
): Promise<{ id: string; secret?: string }> => {
  const response = await fetch(`${address}/v1/pages/${page}/subscribers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.is(response.status, 201);
  return (await response.json()) as { id: string; secret?: string };
};

export const nextMail = async (mailbox: Mailbox): Promise<ParsedMail> => simpleParser((await mailbox.next()).content);

/** Returns the link for a purpose in the text of a mail; empty if there is none. */
export const linkIn = ({ text = '' }: ParsedMail, purpose: 'confirm' | 'unsubscribe' | 'manage'): string =>
  new RegExp(`http://127\\.0\\.0\\.1:\\d+/subscriptions/${purpose}\\?token=[\\w.-]+`).exec(text)?.[0] ?? '';

/** A webhook with a subscription. */
export interface Hook {
  id: string;
  url: string;
  /** the signing secret, `whsec_…` */
  secret: string;
}

/** Number of different targets among the webhooks. The number of concurrent messages is limited for each target. */
const TARGETS = 100;
/** Number of concurrent additions. The servers on a busy machine can't handle hundreds in time. */
const AT_ONCE = 20;

/**
 * Adds many confirmed webhook subscriptions to a page by appending their events, as an import does. A running program
 * reads these events.
 */
export const subscribeHooks = async (
  environment: Record<string, string>,
  { page_id, organization_id }: { page_id: string; organization_id: string },
  urls: readonly string[],
): Promise<Hook[]> => {
  const config = readConfig(await storageEnvironment(environment));
  const site = siteOf(config);
  const [main, keys] = [await openLog(site, 'main', 'appender'), await openKeys(site, config)];
  const now = instantOf(Date.now());
  // In this test one key suffices for all subscribers.
  const seal = (field: string, text: string) =>
    keys.seal('subscriber-of-this-test-1', text, { organizationId: organization_id, field });
  const add = async (url: string, index: number): Promise<Hook> => {
    const id = derivedId(`${page_id}/${url}`);
    const secret = `whsec_${Buffer.from(id.repeat(3)).toString('base64')}`;
    const { type, data } = webhookAdded({
      subscriber_id: id,
      page_id,
      address: await seal('address', url),
      secret: await seal('secret', secret),
      target: `target ${index % TARGETS}`,
      verified: true,
      asks: false,
      purge_at: null,
      added_at: now,
    });
    const cause = { id: derivedUuid(`test/${id}`), by: 'test', organizationId: organization_id, now };
    await main.append(`subscriber-${id}`, [systemEvent({ type, data } as const, cause)], 'any');
    return { id, url, secret };
  };
  try {
    const hooks: Hook[] = [];
    for (let from = 0; from < urls.length; from += AT_ONCE) {
      hooks.push(...(await Promise.all(urls.slice(from, from + AT_ONCE).map((url, at) => add(url, from + at)))));
    }
    return hooks;
  } finally {
    await main.close();
    await keys.close();
  }
};

/** A message in the page's log of notifications. */
export interface LoggedMessage {
  id: string;
  subscriber_id: string;
  mode: string;
  event: string;
  status: string;
  incident_id: string;
}

/** Waits until a page's log of notifications contains this many sent messages, and returns them. */
export const waitForSentMessages = async (
  program: RunningProgram,
  key: string,
  page: string,
  expected: number,
): Promise<LoggedMessage[]> => {
  const read = async (number: number, size: number) => {
    const query = `status=sent&page=${number}&per_page=${size}`;
    const path = `/v1/pages/${page}/subscribers/notifications?${query}`;
    const { body } = await callApi(program, key, 'GET', path);
    return body as { notifications?: LoggedMessage[]; pagination?: { total: number } };
  };
  await eventually(async () => ((await read(1, 1)).pagination?.total ?? 0) >= expected, { within: 180_000 });
  const logged: LoggedMessage[] = [];
  for (let number = 1; logged.length < expected; number++) {
    logged.push(...((await read(number, 100)).notifications ?? []));
  }
  return logged;
};
