import { NotFound } from '../../domain/errors.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { PageHistory } from '../../projections/past/page-history.ts';
import { changesBetween, figuresById, type ComponentChange, type FiguresById } from './comparison.ts';
import { readStatementFigures, type StatementRequest } from './figures.ts';

/** An event that changed figures of a statement. */
export interface StatementEdit {
  event: RecordedEvent;
  changes: ComponentChange[];
}

export interface StatementEdits {
  /** in the order of the log */
  edits: StatementEdit[];
  /** whether there are more edits than those in `edits` */
  isTruncated: boolean;
}

/** Maximum number of edits that are listed. Finding an edit takes about ten computations of the changed components. */
const MOST_EDITS = 100;

/** Returns the figures after the first `count` events of a page; empty if the page does not exist at that point. */
export const figuresAfter = async (
  { readAfter }: Pick<PageHistory, 'readAfter'>,
  count: number,
  request: StatementRequest,
  signal?: AbortSignal,
): Promise<FiguresById> => {
  try {
    return figuresById(await readStatementFigures(readAfter(count), request, signal));
  } catch (error) {
    if (error instanceof NotFound) return new Map();
    throw error;
  }
};

/**
 * Finds those events after the first `count` ones that change figures of a statement. Uses bisection: a part of the
 * history is skipped if the figures are equal at its start and at its end. Therefore, an edit that was later reverted
 * is not found.
 */
export const findStatementEdits = async (
  history: PageHistory,
  count: number,
  request: StatementRequest,
  signal?: AbortSignal,
): Promise<StatementEdits> => {
  const { events } = history;
  const edits: StatementEdit[] = [];
  let isTruncated = false;
  const search = async (
    from: number,
    to: number,
    before: FiguresById,
    after: FiguresById,
    ids?: ReadonlySet<string>,
  ) => {
    const changes = changesBetween(before, after, ids);
    if (changes.length === 0 || isTruncated) return;
    const event = events[to - 1];
    if (to - from === 1 && event) {
      if (edits.length === MOST_EDITS) isTruncated = true;
      else edits.push({ event, changes });
      return;
    }
    const componentIds = new Set(changes.map(({ id }) => id));
    const middle = Math.floor((from + to) / 2);
    const between = await figuresAfter(history, middle, { ...request, componentIds }, signal);
    await search(from, middle, before, between, componentIds);
    await search(middle, to, between, after, componentIds);
  };
  if (events.length > count) {
    const before = await figuresAfter(history, count, request, signal);
    await search(count, events.length, before, await figuresAfter(history, events.length, request, signal));
  }
  return { edits, isTruncated };
};
