import { Type, type Static } from '@sinclair/typebox';
import { createPastReads } from '../../projections/past/past-reads.ts';
import { createHash } from 'node:crypto';
import pino from 'pino';
import {
  createAuthenticate,
  type KnownKey,
  createIdentifyCaller,
  createRefusalLimits,
  requirePermission,
  type IdentifyCaller,
} from '../../api/authentication.ts';
import type { HealthPart } from '../../http/health.ts';
import { listen } from '../../http/listen.ts';
import { createRegistry } from '../../http/metrics.ts';
import type { DescribeChecks } from '../../http/metrics-response.ts';
import { pagesOfStyleA } from '../../api/pagination.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import { createHeavyRequestLimit, type HeavyRequestLimits } from '../../http/heavy-requests.ts';
import { created, noContent, ok, route, type Route } from '../../api/route.ts';
import { choice, Id, instantIn, nullable, partial, text } from '../../api/schema.ts';
import { createProxies } from '../../http/client-address.ts';
import { apiEndpoints, type ApiDependencies } from '../../api/endpoints.ts';
import { createApp, type Endpoint } from '../../http/app.ts';
import { recordAppended } from '../../commands/engine/appended-positions.ts';
import type { CommandContext } from '../../commands/engine/context.ts';
import type { Commands } from '../../commands/index.ts';
import { NotFound } from '../../domain/errors.ts';
import { ROLES, type Role } from '../../domain/organization/roles.ts';
import { retainedFrom } from '../../domain/retention.ts';
import { SELF_HOSTED } from '../../domain/organization/plans.ts';
import { instantOf } from '../../domain/time.ts';
import type { ReadContext, Readers } from '../../projections/engine/readers.ts';
import { createMemoryArtifacts } from '../../stores/artifacts/memory.ts';
import { createSharedMemoryReadStore } from '../../stores/read-store/memory.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { createMemoryKeys } from '../../stores/keys/memory.ts';
import { LIMITS } from '../contracts/artifacts/examples.ts';
import { request, type TestRequest } from './http.ts';

/**
 * A resource in memory, `/v1/notes`, for testing the rules of all routes in isolation. Tests inject failures through
 * `faults`.
 */

const NewNote = Type.Object({
  title: text(10, { min: 1 }),
  color: Type.Optional(nullable(choice(['red', 'blue']))),
  remind_at: Type.Optional(nullable(instantIn())),
  place: Type.Optional(Type.Object({ floor: Type.Integer({ minimum: 0 }) })),
});
type NewNote = Static<typeof NewNote>;
const Note = Type.Object({ ...NewNote.properties, id: Id, secret: Type.Optional(Type.String()) });
type Note = NewNote & { id: string };

export interface Faults {
  /** thrown before a note is created */
  make?: Error;
  /** thrown when the response is read, after the note was created */
  show?: Error;
  /** awaited before a note is created */
  hold?: Promise<void>;
  /** awaited after a note was created */
  finish?: Promise<void>;
  /** awaited when a request waits for read models */
  late?: Promise<void>;
  /** whether notes are read from a read model that lags behind */
  behind?: true;
}

const keyOf = (role: string): string => `${role}-key`;

export const KEY_OF = Object.fromEntries(ROLES.map((role) => [role, keyOf(role)])) as Record<Role, string>;

const noteRoutes = (notes: Map<string, Note>, faults: Faults, contexts: CommandContext[]): Route[] => {
  const list = pagesOfStyleA({ key: 'notes', size: 20 });
  const byId = { params: Type.Object({ note_id: Id }), tag: 'Notes', path: '/v1/notes/{note_id}' };
  const find = (id: string): Note => {
    const note = notes.get(id);
    if (!note) throw new NotFound('There is no such note.');
    return note;
  };
  const show = (note: Note, extra = {}): object => {
    if (faults.show) throw faults.show;
    return { ...note, ...extra };
  };
  return [
    route({
      methods: ['get'],
      path: '/v1/notes',
      summary: 'List notes',
      tag: 'Notes',
      access: { needs: 'pages.read' },
      query: Type.Object({ ...list.query, after: Type.Optional(instantIn()), done: Type.Optional(Type.Boolean()) }),
      responses: { 200: list.answer(Note) },
      handle: ({ query }) => {
        const all = [...notes.values()];
        return ok(() =>
          list.body(query, async ({ page, size }) => ({
            items: all.slice((page - 1) * size, page * size),
            total: all.length,
          })),
        );
      },
    }),
    route({
      methods: ['post'],
      path: '/v1/notes',
      summary: 'Write a note',
      tag: 'Notes',
      access: { needs: 'pages.write' },
      body: NewNote,
      responses: { 201: Note },
      oneTime: ['secret'],
      handle: async ({ body, context }) => {
        contexts.push(context);
        await faults.hold;
        if (faults.make) throw faults.make;
        const id = context.newId();
        const note = { ...body, id };
        notes.set(id, note);
        recordAppended(context.appended, 'main', [{ type: 'NoteWritten' }], 1n);
        await faults.finish;
        return created(`/v1/notes/${id}`, id, () => show(note, { secret: 'told once' }));
      },
    }),
    route({
      ...byId,
      methods: ['get'],
      summary: 'Read a note',
      access: { needs: 'pages.read' },
      responses: { 200: Note },
      handle: ({ params }) => ok(() => show(find(params.note_id))),
    }),
    route({
      ...byId,
      methods: ['put', 'patch'],
      summary: 'Change a note',
      access: { needs: 'pages.write' },
      body: partial(NewNote),
      responses: { 200: Note },
      find: async ({ params, context }) => {
        if (faults.behind) (context as ReadContext).readBehind = true;
        return find(params.note_id);
      },
      handle: ({ body, found, context }) => {
        const note = { ...found, ...body };
        notes.set(note.id, note);
        recordAppended(context.appended, 'main', [{ type: 'NoteChanged' }], 2n);
        return ok(() => show(note));
      },
    }),
    route({
      ...byId,
      methods: ['delete'],
      summary: 'Delete a note',
      access: { needs: 'pages.write' },
      responses: { 204: null },
      waitsFor: ['notes'],
      handle: ({ params, context }) => {
        notes.delete(find(params.note_id).id);
        recordAppended(context.appended, 'main', [{ type: 'NoteTornUp' }], 3n);
        return noContent();
      },
    }),
    route({
      methods: ['post'],
      path: '/v1/letters',
      summary: 'Leave a letter without a key',
      tag: 'Letters',
      access: { public: { tenant: null, key: 'optional' } },
      body: Type.Object({ text: text(100) }),
      responses: { 200: Type.Object({ text: Type.String(), role: Type.Union([Type.String(), Type.Null()]) }) },
      handle: ({ body, context }) => ok(() => ({ text: body.text, role: context.actor.role })),
    }),
  ];
};

/** Returns the stored form of the key `{role}-key`. */
export const knownKey = (role: string): KnownKey => ({
  hash: createHash('sha256').update(keyOf(role)).digest('hex'),
  keyId: `${role}key0000`.slice(0, 12),
  organizationId: 'organization1',
  role,
  createdBy: null,
  allowedIps: [],
  expiresAt: null,
});

export interface NotesOptions {
  rateLimit?: number;
  /** 401 responses per minute and address; absent: no limit */
  unauthorizedPerMinute?: number;
  /** identifies the caller; default: by the keys in {@link KEY_OF} */
  identify?: IdentifyCaller;
  /** TRUST_PROXY */
  trustProxy?: string;
  /** METRICS_TOKEN */
  metricsToken?: string;
  describeChecks?: DescribeChecks;
  /** deadline of responses, in milliseconds */
  answeredWithin?: number;
  /** limits of heavy requests; default: as in production */
  shares?: HeavyRequestLimits;
  /** routes besides those of the notes */
  further?: readonly Route[];
  /** further endpoints that are served besides the API */
  surface?: (parts: ApiDependencies) => readonly Endpoint[];
}

/** Serves the notes on a free port of the loopback address. */
export const serveNotes = async (options: NotesOptions = {}) => {
  const { rateLimit, unauthorizedPerMinute = 0, trustProxy = null, metricsToken = null } = options;
  const proxies = createProxies(trustProxy);
  const notes = new Map<string, Note>();
  const faults: Faults = {};
  const contexts: CommandContext[] = [];
  const logged: string[] = [];
  const waited: (readonly string[])[] = [];
  const time = { now: Date.UTC(2026, 10, 20) };
  const clock = () => time.now;
  const apiKeys = new Map(ROLES.map(knownKey).map((key) => [key.hash, key]));
  const coordination = createMemoryCoordination();
  const keys = createMemoryKeys();
  const nothing = (): never => {
    throw new Error('The notes have no projection.');
  };
  const readers: Readers = {
    for: () => nothing,
    asFolded: nothing,
    sure: nothing,
    foldedAll: async () => undefined,
    waitFor: async (names) => {
      waited.push(names);
      await faults.late;
    },
    positions: () => '',
  };
  const health: HealthPart[] = [
    { name: 'event store main', ready: true, state: 'open', lag_seconds: null, message: null },
  ];
  const stopping = new AbortController();
  const identify =
    options.identify ??
    createIdentifyCaller(
      createAuthenticate({
        find: async (hash) => apiKeys.get(hash) ?? null,
        user: async () => null,
        session: async () => null,
        now: () => instantOf(time.now),
      }),
      createRefusalLimits(unauthorizedPerMinute, clock),
    );
  const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(line) });
  const patience = options.answeredWithin === undefined ? {} : { deadlineMs: options.answeredWithin };
  const parts: ApiDependencies = {
    commands: {} as Commands,
    readers,
    applyRevocations: async () => undefined,
    identify,
    rateLimit: createRateLimit(rateLimit ?? null, clock),
    claims: coordination,
    keys,
    artifacts: createMemoryArtifacts(LIMITS),
    plans: SELF_HOSTED,
    main: createMemoryEventStore('main'),
    past: createPastReads({ main: createMemoryEventStore('main'), openStore: createSharedMemoryReadStore, clock }),
    statuses: { all: () => [] },
    authenticate: Object.assign(async () => null, { forget: () => undefined }),
    lastUses: { of: async () => new Map() },
    invoiceFile: () => Promise.reject(new Error('Nobody pays here.')),
    statementFile: () => Promise.reject(new Error('This service has no statements.')),
    previewIncident: () => Promise.reject(new Error('There are no incidents here.')),
    previewPage: () => Promise.reject(new Error('There are no pages here.')),
    resultsFrom: () => retainedFrom(time.now, 183),
    clock,
    logger,
    ...patience,
    ...(options.shares && { acquireSlot: createHeavyRequestLimit(options.shares) }),
  };
  const app = createApp({
    endpoints: [
      ...apiEndpoints([...noteRoutes(notes, faults, contexts), ...(options.further ?? [])], parts),
      ...(options.surface?.(parts) ?? []),
    ],
    identify: requirePermission('metrics.read', identify),
    proxies,
    metricsAccess: { token: metricsToken, loopback: !proxies.any && metricsToken === null },
    logger,
    ...patience,
    health: async () => health,
    registry: createRegistry(),
    describeChecks: options.describeChecks,
    stopping: stopping.signal,
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0, stopping, grace: 500 });
  return {
    port: server.port,
    notes,
    faults,
    contexts,
    logged,
    waited,
    time,
    apiKeys,
    keys,
    coordination,
    health,
    stop: server.stop,
    /** sends a request with the key of an editor, unless the headers contain another key */
    request: (sent: TestRequest) =>
      request(server.port, { ...sent, headers: { authorization: KEY_OF.editor, ...sent.headers } }),
    /** sends a request with exactly these headers */
    bare: (sent: TestRequest) => request(server.port, sent),
  };
};
