const KINDS = ['uncaughtException', 'unhandledRejection'] as const;

/** Collects uncaught errors, which would otherwise end the process, until `stop` is called. */
export const gatherUnhandled = (): { errors: readonly unknown[]; stop: () => void } => {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => {
    errors.push(error);
  };
  for (const kind of KINDS) process.on(kind, onError);
  return {
    errors,
    stop: () => {
      for (const kind of KINDS) process.off(kind, onError);
    },
  };
};
