import type { AnyCauseKind, CauseContext } from './cause.ts';

/** What receivers are told of: what makes each kind of causes, by its name. Each is a file of its own beside this one. */
export const CAUSE_KINDS: Readonly<Record<string, (context: CauseContext) => AnyCauseKind>> = {
  // A line for each kind.
};
