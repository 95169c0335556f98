import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { createPastReads } from '../../projections/past/past-reads.ts';
import { createApiKey } from '../../commands/organizations/api-keys.ts';
import { createOrganization } from '../../commands/organizations/organizations.ts';
import {
  createAuthenticate,
  createIdentifyCaller,
  createRefusalLimits,
  requirePermission,
} from '../../api/authentication.ts';
import { eventStorePart, projectionPart } from '../../http/health.ts';
import { listen } from '../../http/listen.ts';
import { createKeySource } from '../../api/key-source.ts';
import { createRegistry } from '../../http/metrics.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import { createProxies } from '../../http/client-address.ts';
import { createApplyRevocations } from '../../api/revocations.ts';
import { createLastUses, recordingUses } from '../../api/last-uses.ts';
import { apiEndpoints } from '../../api/endpoints.ts';
import { createApp } from '../../http/app.ts';
import { domainAllowed } from '../../site/hosts/domain-allowed.ts';
import { createPageHosts } from '../../site/hosts/page-hosts.ts';
import { siteEndpoints } from '../../site/endpoints.ts';
import { v1Routes } from '../../api/v1/index.ts';
import { createIncidentPreviews } from '../../service/http/incident-previews.ts';
import { createPagePreviews } from '../../service/http/page-previews.ts';
import { createPings } from '../../service/http/pings.ts';
import { registeredRunners } from '../../service/http/registered-runners.ts';
import { createStatusTimes } from '../../service/http/status-times.ts';
import { createUsageSource } from '../../service/http/usage-source.ts';
import { createCardPictures } from '../../service/threads/card-pictures.ts';
import { createCreditSource } from '../../service/schedule/credit-source.ts';
import { commandContext } from '../../commands/engine/context.ts';
import { findSession } from '../../commands/sign-in/session-tokens.ts';
import { invoicePdf } from '../../messages/invoice/pdf.ts';
import { statementPdf } from '../../messages/statement/pdf.ts';
import { createHandle } from '../../commands/engine/handle.ts';
import { invoiceProvider } from '../../commands/payments/invoices.ts';
import { createCommands } from '../../commands/index.ts';
import { CHECK_TYPE_NAMES } from '../../domain/check/types/index.ts';
import { REGIONS, type LiveRunners, type Region } from '../../domain/check/regions.ts';
import type { TextAnswer } from '../../domain/email-domain/record-check.ts';
import { ROLES, type Role } from '../../domain/organization/roles.ts';
import type { RunnerPresence } from '../../domain/runner/presence.ts';
import type { SubscriberMode } from '../../domain/subscriber/events.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { retainedFrom } from '../../domain/retention.ts';
import { SELF_HOSTED, type Plans } from '../../domain/organization/plans.ts';
import { SELLER } from '../payments.ts';
import { instantOf } from '../../domain/time.ts';
import { markLog } from '../../projections/engine/feed/log-marks.ts';
import { createReaders } from '../../projections/engine/readers.ts';
import { runEngine } from '../../projections/engine/run.ts';
import { createStatuses } from '../../projections/engine/status/statuses.ts';
import { projections } from '../../projections/index.ts';
import { systemClock } from '../../network/clock.ts';
import { createCreditsTally } from '../../runners/scheduler/credits.ts';
import { createMemoryArtifacts } from '../../stores/artifacts/memory.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { openLogIdentity } from '../../stores/event-store/identity.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { createMemoryKeys } from '../../stores/keys/memory.ts';
import { createMemoryReadStore, createSharedMemoryReadStore } from '../../stores/read-store/memory.ts';
import { LIMITS } from '../contracts/artifacts/examples.ts';
import type { SignUpDependencies } from '../../commands/dependencies.ts';
import { docsSource } from '../../service/http/docs-source.ts';
import { createOperator } from '../../service/http/operator.ts';
import { createChannelTests } from '../../service/http/channel-tests.ts';
import { ANY_SIGN_UPS, NOTIFIERS, RECEIVERS } from '../sign-ups.ts';
import { FAKE_PASSWORDS } from '../passwords.ts';
import { assertDeclared } from './declared-responses.ts';
import { request, type Reply, type TestRequest } from './http.ts';

export interface ServiceRequest {
  /** an API key; default: the key of the editor of the first organization; null: no key */
  key?: string | null;
  body?: object | string;
  headers?: Record<string, string>;
}

export type KeyRing = Record<Role, string>;

/** Returns whether a log line reports a failed request. */
const isError = (line: string): boolean => line.includes('"level":50');

const REGION = REGIONS[0];
if (!REGION) throw new Error('There is no region.');
const RETENTION_DAYS = 183;
/** A configuration without any optional setting. */
const NOTHING_SET = {
  mailFrom: null,
  smsGatewayUrl: null,
  plans: null,
  invoiceSeller: null,
  metricsToken: null,
  metricsPort: null,
};
/** Returns whether a request needs an `Idempotency-Key`. `request` adds one unless the test sets headers. */
const needsIdempotencyKey = (method: string, path: string): boolean =>
  v1Routes.some(
    (route) =>
      route.idempotencyKey === 'required' &&
      route.path === path &&
      route.methods.some((one) => one === method.toLowerCase()),
  );
/** Returns runners for all check types in `regions`, and the remote runners in `presences`. */
const runnersIn = (
  regions: readonly Region[],
  presences: readonly RunnerPresence[] = [],
  registered?: LiveRunners['registered'],
): LiveRunners => ({
  defaultRegion: REGION,
  abilities: async () =>
    new Map([
      ...presences.map(({ region, types }) => [region, types] as const),
      ...regions.map(({ id }) => [id, CHECK_TYPE_NAMES] as const),
    ]),
  presences: async () => presences,
  ...(registered && { registered }),
});

/**
 * Starts the whole API and the site in this process, on a free loopback port. The stores are in memory and contain two
 * organizations with an API key of each role. Every response is checked against the declaration of its route.
 */
export const startService = async ({
  now = Date.now(),
  regions = [REGION],
  signUps = {},
  pingsPerMinute = 0,
  plans = SELF_HOSTED,
  mails = true,
  trustProxy = null,
  publicUrl = null,
  publicDomain = null,
  answeredWithin,
  frontDoor = 'pages',
  sentModes,
  mostEventStreams,
}: {
  now?: number;
  /** limits of subscribing; default: practically unlimited */
  signUps?: Partial<SignUpDependencies>;
  /** default: one plan without limits */
  plans?: Plans;
  /** whether e-mail is sent */
  mails?: boolean;
  /** trusted proxies; default: none */
  trustProxy?: string | null;
  publicUrl?: string | null;
  publicDomain?: string | null;
  /** deadline of responses, in milliseconds; default: as in production */
  answeredWithin?: number;
  /** maximum number of event streams; default: as in production */
  mostEventStreams?: number;
  /** what `/` shows; default: public pages */
  frontDoor?: 'pages' | 'plain';
  /** the modes in which subscribers get messages; default: all */
  sentModes?: ReadonlySet<SubscriberMode>;
  /** pings per minute of a heartbeat; default: no limit */
  pingsPerMinute?: number;
  /** regions with runners; default: the default region */
  regions?: readonly Region[];
} = {}) => {
  const time = { now };
  const clock = () => time.now;
  const stores = {
    main: createCheckedStore(createMemoryEventStore('main')),
    results: createCheckedStore(createMemoryEventStore('results')),
  };
  for (const store of Object.values(stores)) await openLogIdentity(store, clock);
  const marks = { main: await markLog(stores.main, now), results: await markLog(stores.results, now) };
  const readStore = createMemoryReadStore();
  const coordination = createMemoryCoordination();
  const keys = createMemoryKeys();
  const artifacts = createMemoryArtifacts(LIMITS);
  const statuses = createStatuses(projections);
  const readers = createReaders({ readStore, statuses, coordination, timeout: 5_000, logs: stores });
  const credits = createCreditsTally({
    source: createCreditSource(readers, statuses),
    plans,
    log: stores.main,
    clock: { now: clock, monotonic: systemClock.monotonic, after: systemClock.after },
  });
  const handle = createHandle({ store: stores.main, clock });
  /** the connected processes of remote runners */
  const presences: RunnerPresence[] = [];
  /** TXT records by name; other names have none */
  const dns = new Map<string, TextAnswer>();
  const commands = createCommands({
    handle,
    keys,
    entries: coordination.entries,
    runners: runnersIn(regions, presences, registeredRunners(readers)),
    credits,
    statusTimes: createStatusTimes(readers),
    lookUpTexts: (name) => Promise.resolve(dns.get(name) ?? { known: true, texts: [] }),
    mailDomain: 'mail.example.com',
    mails,
    receivers: RECEIVERS,
    channelTests: createChannelTests(NOTIFIERS, { clock }),
    signUps: { ...ANY_SIGN_UPS, ...signUps },
    pings: createPings({ pingsPerMinute }, stores.results, systemClock),
    plans,
    passwords: FAKE_PASSWORDS,
    pagePasswords: FAKE_PASSWORDS,
    usage: createUsageSource({ readers, statuses, main: stores.main, timeout: 5_000 }),
    payments: invoiceProvider({ handle }, SELLER),
  });
  const stop = new AbortController();
  const engine = runEngine({
    projections,
    stores,
    marks,
    readStore,
    coordination,
    onStatus: statuses.receive,
    demand: statuses.written.demand,
    log: ({ level, message, fields }) => {
      if (level === 'error') console.error(message, fields);
    },
    signal: stop.signal,
  });
  await statuses.checked();

  const context = (organizationId: string, commandId: string) =>
    commandContext({
      actor: { kind: 'system', id: 'test', role: 'admin' },
      organizationId,
      correlationId: 'test',
      commandId: derivedUuid(`${organizationId}/${commandId}`),
      repeatable: false,
      now: instantOf(clock()),
    });
  const organization = async (name: string): Promise<{ id: string; keys: KeyRing }> => {
    const id = derivedId(name);
    const ring: Partial<KeyRing> = {};
    await commands.bind(createOrganization)({ name }, context(id, 'create'));
    for (const role of ROLES) {
      const key = `${role}-key-of-${name}`;
      const keyContext = context(id, role);
      await commands.bind(createApiKey)({ name: role, role, expires_at: null, key }, keyContext);
      await readers.waitFor(['organizations'], keyContext);
      ring[role] = key;
    }
    return { id, keys: ring as KeyRing };
  };
  const first = await organization('first');
  const second = await organization('second');

  const logged: string[] = [];
  const stopping = new AbortController();
  const source = createKeySource({ read: readers.for({ appended: new Map() }), statuses, load: handle.load, from: 0n });
  const authenticate = createAuthenticate({
    ...source,
    session: (hash) => findSession(coordination.entries, hash, clock()),
    now: () => instantOf(clock()),
    clock,
  });
  const lastUses = createLastUses({ entries: coordination.entries, clock, onFailure: console.error });
  const identify = recordingUses(createIdentifyCaller(authenticate, createRefusalLimits(0, clock)), lastUses);
  const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(line) });
  const health = async () => [
    ...(await Promise.all(Object.values(stores).map(eventStorePart))),
    ...statuses.all().map((status) => projectionPart(status, 0)),
  ];
  const parts = {
    commands,
    readers,
    statuses,
    applyRevocations: createApplyRevocations({ ...source, ...authenticate, announce: async () => undefined }),
    identify,
    rateLimit: createRateLimit(null, clock),
    main: stores.main,
    past: createPastReads({
      main: stores.main,
      results: { log: stores.results, positionOf: (name) => statuses.of(name).position },
      openStore: createSharedMemoryReadStore,
      clock,
    }),
    authenticate,
    ...(mostEventStreams !== undefined && { mostEventStreams }),
    claims: coordination,
    keys,
    artifacts,
    plans,
    publicUrl,
    lastUses,
    invoiceFile: invoicePdf,
    statementFile: statementPdf,
    operator: createOperator({
      organizationId: first.id,
      config: { ...NOTHING_SET, publicUrl, publicDomain },
      readers,
      statuses,
      coordination,
      queue: { depths: async () => [] },
      artifacts,
      runners: runnersIn(regions),
      regions,
      health,
      folder: null,
      clock,
    }),
    previewIncident: createIncidentPreviews({
      readers,
      places: { publicUrl, publicDomain },
      ...(sentModes && { sentModes }),
    }),
    previewPage: createPagePreviews({ places: { publicUrl, publicDomain }, ...(sentModes && { sentModes }) }),
    cardPicture: createCardPictures({ trouble: console.error }),
    places: { publicUrl, publicDomain },
    resultsFrom: () => retainedFrom(time.now, RETENTION_DAYS),
    clock,
    logger,
    ...(answeredWithin !== undefined && { deadlineMs: answeredWithin }),
  };
  const proxies = createProxies(trustProxy);
  const read = () => readers.for({ appended: new Map() });
  const pageHosts = createPageHosts({ places: { publicUrl, publicDomain }, read, statuses, clock });
  const app = createApp({
    endpoints: [
      ...apiEndpoints(v1Routes, parts),
      ...siteEndpoints({ ...parts, frontDoor, docs: docsSource, ...(sentModes && { sentModes }) }),
      domainAllowed(pageHosts, proxies),
    ],
    identify: requirePermission('metrics.read', identify),
    proxies,
    pageHosts,
    metricsAccess: { token: null, loopback: true },
    logger,
    health,
    registry: createRegistry(),
    stopping: stopping.signal,
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0, stopping, grace: 1_000 });

  /** Sends a request. Default: `GET /v1/pages` with the editor's key of the first organization. */
  const ask = async (method: string, path: string, { key, body, headers }: ServiceRequest = {}): Promise<Reply> => {
    const authorization = key === undefined ? first.keys.editor : key;
    const sent: TestRequest = {
      method,
      path,
      headers: {
        ...(authorization !== null && { authorization }),
        ...(headers === undefined && needsIdempotencyKey(method, path) && { 'idempotency-key': randomUUID() }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    };
    const reply = await request(server.port, sent);
    if (reply.status === 500) throw new Error(`${method} ${path} failed: ${logged.findLast(isError) ?? ''}`);
    assertDeclared(v1Routes, method, path, reply);
    return reply;
  };

  return {
    port: server.port,
    first,
    second,
    stores,
    readStore,
    readers,
    statuses,
    commands,
    /** creates contexts for commands that the test calls directly */
    context,
    coordination,
    credits,
    statusTimes: createStatusTimes(readers),
    keys,
    entries: coordination.entries,
    artifacts,
    dns,
    presences,
    logged,
    /** `time.now` may be set: milliseconds since 1970 */
    time,
    request: ask,
    stop: async (): Promise<void> => {
      await server.stop();
      await credits.stop();
      stop.abort();
      await engine;
      await Promise.all(Object.values(stores).map((store) => store.close()));
    },
  };
};

export type Service = Awaited<ReturnType<typeof startService>>;
