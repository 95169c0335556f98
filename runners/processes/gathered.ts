/**
 * Gathers what is said within one turn of the event loop, and says it at once.
 *
 * @returns says something
 */
export const gathered = <T>(send: (said: T[]) => void): ((one: T) => void) => {
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
