import type { ServerResponse } from 'node:http';
import { eventText } from '../../http/media/event-stream.ts';
import type { Clock } from '../../network/clock.ts';
import type { Order } from '../../runners/remote/protocol.ts';

/**
 * Text that is sent when no order has been sent for a while. Proxies and the runner treat a silent stream as broken.
 */
const SIGN = ':\n\n';
const SIGN_EVERY_MS = 10_000;
/** Maximum number of bytes that a runner has not read. If a runner reads too slowly, its stream is closed. */
const MAX_UNREAD = 4_194_304;

/** The stream of orders to a runner. */
export interface Orders {
  send: (order: Order) => void;
  /** Withdraws an order if it has not been sent yet. */
  withdraw: (order: Order) => void;
  /**
   * Continues the stream in another response after the previous response was interrupted.
   *
   * @param again returns the orders that may have been lost with the previous response
   */
  stream: (response: ServerResponse, again: () => readonly Order[], closed: () => void) => void;
  isOpen: () => boolean;
  /** Sends a final order and ends the stream. */
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
    if (response.writableLength > MAX_UNREAD) response.destroy();
    else response.write(text);
  };

  const signLater = (to: ServerResponse): void => {
    cancelSign = clock.after(SIGN_EVERY_MS, () => {
      to.write(SIGN);
      signLater(to);
    });
  };

  return {
    // Orders of the same event loop turn are sent in one write.
    send: (order) => {
      unsent.push(order);
      if (isFlushing) return;
      isFlushing = true;
      setImmediate(flush);
    },
    withdraw: (order) => {
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
      // It is unknown which orders of the previous stream have arrived, so they are sent again. A runner ignores a
      // delivery that it already has.
      if (hasBegun) unsent = [...again()];
      hasBegun = true;
      // Sending this comment also sends the head of the response.
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
