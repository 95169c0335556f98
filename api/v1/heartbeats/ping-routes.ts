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
import { PingResponse } from './schema.ts';

/** Maximum size of a body (docs/reference/heartbeats.md#ping-requests). */
const MAX_PING_BYTES = 10_240;

/** The suffix of the path, the summary, and the message of the response, for each kind of ping. */
const KINDS: Readonly<Record<PingKind, { end: string; summary: string; message: string }>> = {
  success: { end: '', summary: 'Report job success', message: 'The ping was received.' },
  start: { end: '/start', summary: 'Report job start', message: 'The start was received.' },
  fail: { end: '/fail', summary: 'Report job failure', message: 'The failure was received.' },
};

/** Parses the body of a ping: a JSON object as it is, any other content as `{ text }`, no content as undefined. */
const dataOf = (bytes: Buffer): unknown => {
  if (bytes.length > MAX_PING_BYTES) throw new HttpError(413, 'The body of a ping is larger than 10 KiB.');
  if (bytes.length === 0) return undefined;
  return objectOf(bytes) ?? { text: bytes.toString('utf8').replaceAll('\0', '\u{fffd}') };
};

/**
 * Parses a body as JSON. Returns null if the body is not an object that can be stored. Throws no errors: the body can
 * be any output of a job, and a ping must be accepted nevertheless.
 */
const objectOf = (bytes: Buffer): object | null => {
  try {
    const { value, unstorable, crowded } = parseJson(bytes);
    return isFields(value) && !unstorable && !crowded ? escaped(value) : null;
  } catch (error) {
    if (error instanceof HttpError) return null;
    throw error;
  }
};

/** The routes of pings. They need no API key, because only those who know the heartbeat's id can ping it. */
export const pingRoutes: Route[] = Object.entries(KINDS).map(([kind, { end, summary, message }]) =>
  route({
    methods: ['get', 'post'],
    path: `/v1/heartbeats/{heartbeat_key}/ping${end}`,
    summary,
    description: 'No API key is needed: the heartbeat key in the path is the secret.',
    tag: 'Heartbeats',
    access: { public: { tenant: tenantOfHeartbeat } },
    effect: 'write',
    headWrites: true,
    // A ping is accepted with any headers: jobs often cannot choose them, and do not notice an error response.
    anyHeaders: true,
    unrepeatable: true,
    params: Type.Object({ heartbeat_key: Id }),
    accepts: [ANY_BODY],
    body: Type.Unsafe<Buffer>({
      description: 'At most 10 KiB, stored with the ping as it was sent, regardless of its media type and encoding.',
      examples: [{ files: 3 }],
    }),
    responses: { 200: PingResponse },
    find: ({ scope, params }) => findHeartbeat(scope, params.heartbeat_key),
    handle: async ({ body, context, commands, found, scope }) => {
      // GET and HEAD requests have no body, so `body` is not a buffer in these requests.
      const data = dataOf(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      const expected = await commands.bind(recordPing)(found, { kind: kind as PingKind, data }, context);
      return ok(async () => ({
        status: 'ok' as const,
        message,
        check_id: found.id,
        // A start usually does not change the expected time (domain/heartbeat-pings/state.ts). So after a start, read
        // the expected time from the read model.
        next_expected_ping: kind === 'start' ? await nextExpectedPing(scope, found) : expected,
      }));
    },
  }),
);
