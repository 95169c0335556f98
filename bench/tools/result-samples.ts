/** Typical web results, and a quick way to store very many of them in a read model. */
import { randomBytes, randomInt } from 'node:crypto';
import type { EventOf } from '../../domain/event-types.ts';
import { checkResultEvents } from '../../domain/check-result/events.ts';
import type { NewEvent, RecordedEvent } from '../../domain/event.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { instantOf } from '../../domain/time.ts';
import { projectionKey } from '../../projections/engine/fold/define.ts';
import { Folding } from '../../projections/engine/fold/folding.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { Generation, ReadStore } from '../../stores/read-store/port.ts';

/** The API key of an admin, for benchmarks that use the API. */
export const BENCH_KEY = 'benchmark-admin-key';

export const ORGANIZATION = 'org000000001';
export const STREAM = 'check_results-ru-central1';

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Returns the 12 headers of a response. Values that differ between real responses are random. */
const headersAt = (at: number): Record<string, string> => ({
  server: 'nginx',
  date: new Date(at).toUTCString(),
  'content-type': 'text/html; charset=utf-8',
  'content-length': String(randomInt(10_000, 99_999)),
  'cache-control': 'max-age=0, private, must-revalidate',
  etag: `W/"${hex(16)}"`,
  vary: 'Accept-Encoding, Cookie',
  'x-request-id': hex(16),
  'x-runtime': `0.0${randomInt(10_000, 99_999)}`,
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'set-cookie': '********',
});

/** Creates a web result. One in twenty is bad. */
export const webResult = (checkId: string, at: number): NewEvent<EventOf<'CheckRunCompleted'>> => {
  const run = derivedId(`run of ${checkId} at ${at}`);
  const good = randomInt(20) > 0;
  const time = 40 + randomInt(200);
  return {
    id: derivedUuid(`result/${run}`),
    type: 'CheckRunCompleted',
    data: {
      result_id: derivedId(`result/${run}`),
      check_id: checkId,
      organization_id: ORGANIZATION,
      check_type: 'web',
      run_id: run,
      slot: instantOf(at),
      result_type: 'regular',
      region: 'RU, Moscow',
      status: good ? 'ok' : 'failed',
      ...(!good && { reason: 'status' }),
      response_time: time,
      error_message: good ? null : 'The server answered 503 Service Unavailable.',
      credits: 1,
      check_server: {
        id: 'k2m9x0q7v4ab',
        country: 'RU',
        region: 'RU, Moscow',
        ip_address: '10.20.30.40',
        server_metadata: { provider: 'self-hosted' },
      },
      check_metadata: {
        connected: true,
        host: 'shop.example.com',
        port: 443,
        address: '203.0.113.80',
        final_url: 'https://shop.example.com/',
        status_code: good ? 200 : 503,
        http_version: '1.1',
        body_size: 14_210,
        tls: {
          version: 'TLSv1.3',
          cipher: 'TLS_AES_256_GCM_SHA384',
          not_after: '2027-02-03T23:59:59.000000',
          days_left: 75,
        },
        headers: headersAt(at),
        timings: { lookup: 2, connect: 11, tls: 23, first_byte: time - 38, transfer: 2 },
      },
    },
    metadata: {
      $correlationId: run,
      $causationId: run,
      command_id: run,
      actor: { kind: 'system', id: 'runner', role: null },
      organization_id: ORGANIZATION,
      recorded_at: instantOf(at + time),
      schema_version: checkResultEvents.CheckRunCompleted.version,
    },
  };
};

const BATCH = 5_000;

/** Folds results into a new generation, like a rebuild but without a log. */
export const foldResults = async (
  readStore: ReadStore,
  results: Iterable<NewEvent>,
  indexes: 'kept' | 'afterwards',
): Promise<Generation> => {
  const generation = { projection: projectionKey(checkResults), number: 1 };
  await readStore.open(generation, checkResults.collections, { deferIndexes: indexes === 'afterwards' });
  const folding = new Folding({
    projection: checkResults,
    generation,
    readStore,
    checkpoint: { log_id: 'bench', position: 0n, event_id: null },
    retainedFrom: null,
    recentDocuments: 1_000,
  });
  let batch: RecordedEvent[] = [];
  let position = 0n;
  const flush = async (): Promise<void> => {
    await folding.fold(batch);
    await folding.commit();
    batch = [];
  };
  for (const result of results) {
    position += 1n;
    batch.push({ ...result, stream: STREAM, revision: position - 1n, position });
    if (batch.length === BATCH) await flush();
  }
  await flush();
  if (indexes === 'afterwards') await readStore.buildIndexes(generation);
  return generation;
};
