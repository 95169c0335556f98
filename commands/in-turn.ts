/** Runs tasks of one key one after another; a failed one does not stop the next. */
export type InTurn = <T>(key: string, task: () => Promise<T>) => Promise<T>;

export const createTurns = (): InTurn => {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task, task);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return turn;
  };
};
