import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A span that a collector has received. */
export interface ReceivedSpan {
  name: string;
  /** 1: internal, 2: server */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** 0: unset, 2: error */
  status: number;
  milliseconds: number;
  attributes: Record<string, unknown>;
}

/** A collector of OpenTelemetry that receives traces (OTLP over HTTP, JSON). */
export interface Collector {
  /** base URL */
  endpoint: string;
  spans: ReceivedSpan[];
  /** attributes of the processes that have exported */
  resources: Record<string, unknown>[];
  /** paths and headers of the requests */
  requests: { path: string; headers: IncomingHttpHeaders }[];
  stop: () => Promise<void>;
}

interface Value {
  stringValue?: string;
  intValue?: string | number;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: Value[] };
}
interface Attribute {
  key: string;
  value: Value;
}
interface SentSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number };
}
interface Traces {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

const valueOf = ({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown =>
  arrayValue?.values.map(valueOf) ??
  stringValue ??
  (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue));

const attributesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

const spanOf = ({
  name,
  kind,
  traceId,
  spanId,
  parentSpanId,
  status,
  attributes,
  ...times
}: SentSpan): ReceivedSpan => ({
  name,
  kind,
  traceId,
  spanId,
  parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
  status: status.code ?? 0,
  milliseconds: Number(BigInt(times.endTimeUnixNano) - BigInt(times.startTimeUnixNano)) / 1e6,
  attributes: attributesOf(attributes),
});

/** Starts a collector on the loopback address. @param status of its responses */
export const startCollector = async (status = 200): Promise<Collector> => {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const requests: Collector['requests'] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    requests.push({ path: request.url ?? '', headers: request.headers });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    if (status !== 200) return;
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as Traces;
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(attributesOf(resource.attributes));
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map(spanOf)));
    }
  };
  const server = createServer((request, response) => {
    void receive(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
