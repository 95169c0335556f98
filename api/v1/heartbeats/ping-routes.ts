import { Type } from '@sinclair/typebox';
import { recordPing } from '../../../commands/checks/pings.ts';
import type { PingKind } from '../../../domain/heartbeat-pings/events.ts';
import { isFields } from '../../../domain/fields.ts';
import { escaped } from '../../../domain/sealed.ts';
import { HttpError } from '../../../http/errors.ts';
import { ANY_BODY } from '../../../http/media/body-types.ts';
import { parseJson } from '../../../http/media/json-body.ts';
import { findHeartbeat, nextExpectedPing } from '../../../queries/heartbeats/heartbeats.ts';
import { tenantOfHeartbeat } from '../../../queries/organizations/tenants.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { Pinged } from './schema.ts';

/** Largest body that is kept (decisions.md: Heartbeats). */
const MAX_PING_BYTES = 10_240;

/** What each kind of ping is called by: the end of its path, its summary, and what it is answered. */
const KINDS: Readonly<Record<PingKind, { end: string; summary: string; message: string }>> = {
  success: { end: '', summary: 'Say that a job is done', message: 'The ping was received.' },
  start: { end: '/start', summary: 'Say that a job begins', message: 'The start was received.' },
  fail: { end: '/fail', summary: 'Say that a job has failed', message: 'The failure was received.' },
};

/** The JSON object that was sent, as it may be stored, `{ text }` for anything else, undefined for nothing. */
const dataOf = (bytes: Buffer): unknown => {
  if (bytes.length > MAX_PING_BYTES) throw new HttpError(413, 'The body of a ping is larger than 10 KiB.');
  if (bytes.length === 0) return undefined;
  return objectOf(bytes) ?? { text: bytes.toString('utf8').replaceAll('\0', '\u{fffd}') };
};

/** Whoever pings sends what a job said, and gets no error for it: what can't be stored as JSON is text. */
const objectOf = (bytes: Buffer): object | null => {
  try {
    const { value, unstorable, crowded } = parseJson(bytes);
    return isFields(value) && !unstorable && !crowded ? escaped(value) : null;
  } catch (error) {
    if (error instanceof HttpError) return null;
    throw error;
  }
};

/** Pings, which need no key: the id of a heartbeat is the secret. */
export const pingRoutes: Route[] = Object.entries(KINDS).map(([kind, { end, summary, message }]) =>
  route({
    methods: ['get', 'post'],
    path: `/v1/heartbeats/{heartbeat_key}/ping${end}`,
    summary: `${summary}; no key is needed`,
    tag: 'Heartbeats',
    access: { public: { tenant: tenantOfHeartbeat } },
    effect: 'write',
    headWrites: true,
    // A job that pings does not know what its client sends, and nobody looks at the answer.
    anyHeaders: true,
    unrepeatable: true,
    params: Type.Object({ heartbeat_key: Id }),
    accepts: [ANY_BODY],
    body: Type.Unsafe<Buffer>({
      description: 'at most 10 KiB, kept with the ping as it was sent, whatever its type and encoding',
      examples: [{ files: 3 }],
    }),
    answers: { 200: Pinged },
    find: ({ scope, params }) => findHeartbeat(scope, params.heartbeat_key),
    handle: async ({ body, context, commands, found, scope }) => {
      // GET and HEAD come without a body.
      const data = dataOf(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      const expected = await commands.ask(recordPing)(found, { kind: kind as PingKind, data }, context);
      return ok(async () => ({
        status: 'ok' as const,
        message,
        check_id: found.id,
        // A start changes nothing about what is expected, unless it is the first ping of all.
        next_expected_ping: kind === 'start' ? await nextExpectedPing(scope, found) : expected,
      }));
    },
  }),
);
