import type { ServerResponse } from 'node:http';
import type { AttachedStream } from './content.ts';

/** Sends messages to all streams of a channel. `C` is the type of the data that is stored for each client. */
export interface Broadcast<C> {
  /**
   * Returns the body of a response that stays open and receives the messages of a channel.
   *
   * @param first called when the stream starts; returns the first message, or null to end the stream immediately
   */
  stream: (channel: string, client: C, first: () => string | null) => AttachedStream;
  /**
   * Sends a message to all current members of a channel. Messages arrive in the order of the calls.
   *
   * @param may returns whether a client is still allowed to receive messages; otherwise the stream of this client ends.
   * Default: all clients are allowed
   */
  publish: (channel: string, message: string, may?: (client: C) => Promise<boolean>) => Promise<void>;
  /** Ends all streams of a channel. */
  close: (channel: string) => void;
  /** channels with at least one client */
  channels: () => string[];
}

interface Member<C> {
  client: C;
  response: ServerResponse;
}

interface Channel<C> {
  members: Set<Member<C>>;
  /** resolves when all previous messages have been sent */
  sent: Promise<void>;
}

/**
 * Maximum number of bytes that wait for a client to read them. A client with more unread bytes is disconnected, and may
 * reconnect.
 */
const MOST_UNREAD = 65_536;

export interface BroadcastOptions {
  /** maximum number of unread bytes per client; default: {@link MOST_UNREAD} */
  mostUnread?: number;
}

/** Duration of a time slice for sending, in milliseconds. */
const SLICE = 2;

/**
 * Creates a broadcast. Each message is encoded only one time, and is sent in time slices, so that thousands of streams
 * do not delay requests.
 */
export const createBroadcast = <C>({ mostUnread = MOST_UNREAD }: BroadcastOptions = {}): Broadcast<C> => {
  const channels = new Map<string, Channel<C>>();
  let following: AbortSignal | undefined;

  const leave = (name: string, channel: Channel<C>, member: Member<C>): void => {
    channel.members.delete(member);
    if (channel.members.size === 0 && channels.get(name) === channel) channels.delete(name);
  };
  const close = (name: string): void => {
    for (const { response } of channels.get(name)?.members ?? []) response.end();
  };
  /** Ends all streams when the service stops. All streams share one listener of the signal. */
  const followStop = (stopping: AbortSignal): void => {
    if (following === stopping) return;
    following = stopping;
    stopping.addEventListener(
      'abort',
      () => {
        for (const name of channels.keys()) close(name);
      },
      { once: true },
    );
  };

  const sendTo = async (
    { members }: Channel<C>,
    message: Buffer,
    may: ((client: C) => Promise<boolean>) | undefined,
  ): Promise<void> => {
    let began = performance.now();
    for (const member of [...members]) {
      if (performance.now() - began >= SLICE) {
        await new Promise((resolve) => setImmediate(resolve));
        began = performance.now();
      }
      const { client, response } = member;
      const isAllowed = !may || (await may(client).catch(() => false));
      if (!members.has(member) || response.writableEnded) continue;
      if (!isAllowed) response.end();
      else if (response.writableLength > mostUnread) response.destroy();
      else response.write(message);
    }
  };

  return {
    stream: (name, client, first) => ({
      attach: (response, stopping) => {
        if (stopping) followStop(stopping);
        const beginning = stopping?.aborted ? null : first();
        if (beginning === null || response.destroyed) {
          response.end();
          return;
        }
        const channel = channels.get(name) ?? { members: new Set(), sent: Promise.resolve() };
        channels.set(name, channel);
        const member = { client, response };
        channel.members.add(member);
        response.once('close', () => {
          leave(name, channel, member);
        });
        response.write(beginning);
      },
    }),
    publish: async (name, message, may) => {
      const channel = channels.get(name);
      if (!channel) return;
      const bytes = Buffer.from(message);
      channel.sent = channel.sent.then(() => sendTo(channel, bytes, may));
      await channel.sent;
    },
    close,
    channels: () => [...channels.keys()],
  };
};
