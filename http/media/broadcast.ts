import type { ServerResponse } from 'node:http';
import type { Attached } from './content.ts';

/** Streams that get the same messages, in channels. `C` is the data of a client. */
export interface Broadcast<C> {
  /**
   * The body of an answer that stays open and gets the messages of a channel.
   *
   * @param first made when the stream begins, and sent before all messages; null: the stream ends at once
   */
  stream: (channel: string, client: C, first: () => string | null) => Attached;
  /**
   * Sends a message to everybody who is in a channel now, after those before it.
   *
   * @param may whether a client may still get it; the streams of others end. Default: everybody may
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
  /** settled when everything before was sent */
  sent: Promise<void>;
}

/** Bytes that a client has not read: it gets no more, and may come back. */
const MOST_UNREAD = 65_536;

export interface BroadcastOptions {
  /** default: {@link MOST_UNREAD} */
  mostUnread?: number;
}

/** Milliseconds of sending before other work has its turn. */
const SLICE = 2;

/** A message is encoded once for all, and sent in slices: thousands of streams do not hold up requests. */
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
  /** One listener for all streams. */
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
