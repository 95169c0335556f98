import type { ServerResponse } from 'node:http';
import { eventText } from '../../http/media/event-stream.ts';
import type { Clock } from '../../network/clock.ts';
import type { Order } from '../../runners/remote/protocol.ts';

/** What is sent when nothing else is, since proxies, and the runner, take a silent stream for a broken one. */
const SIGN = ':\n\n';
const SIGN_EVERY_MS = 10_000;
/** A runner that has not read so many bytes is too slow: its stream is cut off. */
const MOST_UNREAD = 4_194_304;

/** The stream in which a runner gets its orders. */
export interface Orders {
  send: (order: Order) => void;
  /** Takes back an order that was not sent yet. */
  takeBack: (order: Order) => void;
  /**
   * Continues in another answer, after the last one has broken.
   *
   * @param again what may have been lost with it
   */
  stream: (response: ServerResponse, again: () => readonly Order[], closed: () => void) => void;
  isOpen: () => boolean;
  /** Sends a last order, and ends. */
  end: (order: Order) => void;
}

export const createOrders = (clock: Pick<Clock, 'after'>): Orders => {
  let response: ServerResponse | null = null;
  let unsent: Order[] = [];
  let isFlushing = false;
  let hasBegun = false;
  let cancelSign = (): void => undefined;

  const flush = (): void => {
    isFlushing = false;
    if (!response || unsent.length === 0) return;
    const text = unsent.map((order) => eventText({ data: JSON.stringify(order) })).join('');
    unsent = [];
    if (response.writableLength > MOST_UNREAD) response.destroy();
    else response.write(text);
  };

  const signLater = (to: ServerResponse): void => {
    cancelSign = clock.after(SIGN_EVERY_MS, () => {
      to.write(SIGN);
      signLater(to);
    });
  };

  return {
    // What is sent in one turn goes in one write.
    send: (order) => {
      unsent.push(order);
      if (isFlushing) return;
      isFlushing = true;
      setImmediate(flush);
    },
    takeBack: (order) => {
      unsent = unsent.filter((one) => one !== order);
    },
    stream: (opened, again, closed) => {
      const former = response;
      response = opened;
      former?.end();
      opened.once('close', () => {
        if (response === opened) {
          response = null;
          cancelSign();
        }
        closed();
      });
      // Nobody knows what of the last stream has arrived; a runner ignores a delivery that it has.
      if (hasBegun) unsent = [...again()];
      hasBegun = true;
      // The head of the answer goes out with it.
      opened.write(SIGN);
      cancelSign();
      signLater(opened);
      flush();
    },
    isOpen: () => response !== null,
    end: (order) => {
      unsent = [order];
      flush();
      response?.end();
    },
  };
};
