import { Agent, request as send, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { explainBrokenConnection } from '../../../network/broken-connection.ts';
import { peerOf } from '../../../network/failure-sentences.ts';
import { HttpFault } from '../../../network/http/fault.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import { CleanResponses } from './clean-responses.ts';
import { responseHeaders, requestHeaders } from './headers.ts';
import type { ProxyLimits } from './limits.ts';
import type { Meter } from './meter.ts';
import type { RequestTarget } from './request-target.ts';
import type { TargetConnector } from './connect-target.ts';
import { ProxyRefusal } from './refusal.ts';

export interface ForwardOptions {
  reach: Pick<TargetConnector, 'connect'>;
  meter: Meter;
  limits: ProxyLimits;
}

type Connected = (error: Error | null, socket?: CleanResponses) => void;

/** An agent that creates connections asynchronously, which the types of Node.js lack. */
interface Connecting {
  createConnection: (options: { host: string; port: number }, connected: Connected) => void;
}

/**
 * Creates an agent. If `keepAlive` is true, the agent reuses a connection to a target for further requests of the
 * client.
 */
const createAgent = ({ reach, meter, limits }: ForwardOptions, keepAlive: boolean): Agent => {
  const agent = new Agent({ keepAlive, maxFreeSockets: 1 });
  (agent as unknown as Connecting).createConnection = ({ host, port }, connected) => {
    reach.connect({ host, port }).then(
      (socket) => {
        meter.count(socket);
        connected(null, new CleanResponses(socket, limits.head));
      },
      (error: unknown) => {
        connected(error as Error);
      },
    );
  };
  return agent;
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? '0') > 0;

/**
 * Forwards requests of clients to their targets, and streams the responses back. Parses requests strictly and responses
 * leniently (clean-responses.ts), and rewrites both, so that neither side receives anything that was not checked.
 */
export const createForward = (options: ForwardOptions) => {
  const { meter, limits } = options;
  const agents = new WeakMap<Socket, Agent>();

  const agentOf = (client: Socket): Agent => {
    const known = agents.get(client);
    if (known) return known;
    const agent = createAgent(options, true);
    agents.set(client, agent);
    client.once('close', () => {
      agent.destroy();
    });
    return agent;
  };

  /**
   * Forwards a request and its response.
   *
   * @param refuse is called to send an error response instead
   */
  return (
    request: IncomingMessage,
    response: ServerResponse,
    { host, port, authority, path }: RequestTarget,
    refuse: (refused: ProxyRefusal) => void,
  ): void => {
    const body = hasBody(request);
    const peer = peerOf(host, port);
    let answered = false;
    let current: ClientRequest | null = null;
    let settled = false;

    const fail = (error: Error): void => {
      if (settled) return;
      settled = true;
      current?.destroy();
      // Breaks the connection, because a partial response must not look complete.
      if (answered) response.destroy();
      else refuse(refusalOf(error, peer));
    };

    const begin = (again: boolean): void => {
      // A request with a body gets a new connection. On a reused connection that the target has closed, the request
      // would fail, and a streamed body can't be sent again.
      const agent = body ? createAgent(options, false) : agentOf(request.socket);
      const headers = requestHeaders(request.rawHeaders, authority);
      const asked = send({
        ...{ agent, host, port, method: request.method, path, headers, setHost: false },
        // CleanResponses enforces the real limit, but makes heads slightly longer, so this limit is twice as large.
        maxHeaderSize: 2 * limits.head,
        insecureHTTPParser: false,
      });
      current = asked;
      asked.setTimeout(limits.idleTimeout, () => {
        const seconds = (limits.idleTimeout / 1_000).toString();
        asked.destroy(new ProxyRefusal(504, 'http_response_timeout', `${peer} said nothing for ${seconds} s.`));
      });
      asked.on('error', (error: NodeJS.ErrnoException) => {
        // A target may close its connection after the response, without reading the rest of the request.
        if (settled || answered || asked !== current) return;
        const isStale = asked.reusedSocket && error.code === 'ECONNRESET';
        if (isStale && !body && !again) begin(true);
        else fail(error);
      });
      asked.once('socket', (socket) => {
        (socket as unknown as CleanResponses).expect(request.method ?? 'GET');
      });
      asked.once('response', (answer) => {
        answered = true;
        try {
          response.sendDate = false;
          response.writeHead(answer.statusCode ?? 0, answer.statusMessage ?? '', responseHeaders(answer.rawHeaders));
        } catch {
          answered = false;
          fail(new ProxyRefusal(502, 'http_protocol_error', `${peer} gave an answer that is not valid HTTP.`));
          return;
        }
        pipeline(answer, response, (error) => {
          if (error) fail(error);
        });
      });
      if (!body) {
        asked.end();
        return;
      }
      request.pipe(asked);
      request.on('data', meter.update);
    };

    response.once('close', () => {
      settled = true;
      if (!response.writableFinished) current?.destroy();
      // The target may not have read the whole body of the request. The rest is discarded.
      if (current) request.unpipe(current);
      request.resume();
    });
    begin(false);
  };
};

const refusalOf = (error: NodeJS.ErrnoException, peer: string): ProxyRefusal => {
  if (error instanceof ProxyRefusal) return error;
  if (error instanceof HttpFault) {
    const { kind } = error.reason;
    if (kind === 'headers too large')
      return new ProxyRefusal(502, 'http_protocol_error', `The head of the answer of ${peer} is too long.`);
    if (kind === 'upgrade')
      return new ProxyRefusal(
        502,
        'http_protocol_error',
        `${peer} switched to another protocol, which the request did not ask for.`,
      );
    return new ProxyRefusal(502, 'http_protocol_error', `${peer} gave an answer that is not valid HTTP.`);
  }
  if (error.code?.startsWith('HPE_') === true || error.code?.startsWith('ERR_') === true)
    return new ProxyRefusal(502, 'http_protocol_error', `${peer} gave an answer that is not valid HTTP.`);
  if (error.message === 'socket hang up')
    return new ProxyRefusal(502, 'connection_terminated', `${peer} closed the connection before it answered.`);
  const broken = explainBrokenConnection(error, peer, 'before it answered');
  if (broken instanceof LocalFailure)
    return new ProxyRefusal(502, 'proxy_internal_error', broken.message, { cause: error });
  return new ProxyRefusal(502, 'connection_terminated', broken.sentence);
};
