/**
 * Collects the messages from one iteration of the event loop, and sends them together.
 *
 * @returns a function that sends a message
 */
export const batchMessages = <T>(send: (messages: T[]) => void): ((one: T) => void) => {
  let waiting: T[] = [];
  return (one) => {
    waiting.push(one);
    if (waiting.length > 1) return;
    setImmediate(() => {
      const all = waiting;
      waiting = [];
      send(all);
    });
  };
};
