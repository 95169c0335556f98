import { NotFound } from '../../domain/errors.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { PageHistory } from '../../projections/past/page-history.ts';
import type { Read } from '../../projections/readers.ts';
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

/** Maximum number of edits that are listed. Finding an edit takes about 20 computations of the changed components. */
const MOST_EDITS = 100;

/** Returns figures by component; empty if the page does not exist. */
const figuresIn = async (read: Read, request: StatementRequest, signal?: AbortSignal): Promise<FiguresById> => {
  try {
    return figuresById(await readStatementFigures(read, request, signal));
  } catch (error) {
    if (error instanceof NotFound) return new Map();
    throw error;
  }
};

/**
 * Finds the events after the first `count` ones from which the changed figures of a statement follow: without any one
 * of these events, the others would give different figures. Therefore, an edit that was later reverted or superseded is
 * not among them.
 */
export const findStatementEdits = async (
  { events, readAfter, readWith }: PageHistory,
  count: number,
  request: StatementRequest,
  signal?: AbortSignal,
): Promise<StatementEdits> => {
  const later = events.slice(count);
  if (later.length === 0) return { edits: [], isTruncated: false };
  const before = await figuresIn(readAfter(count), request, signal);
  const now = await figuresIn(readAfter(events.length), request, signal);
  const componentIds = new Set(changesBetween(before, now).map(({ id }) => id));
  if (componentIds.size === 0) return { edits: [], isTruncated: false };

  const figuresWith = (some: readonly RecordedEvent[]): Promise<FiguresById> =>
    figuresIn(readWith(count, some), { ...request, componentIds }, signal);
  const giveSameFigures = async (some: readonly RecordedEvent[]): Promise<boolean> =>
    changesBetween(await figuresWith(some), now, componentIds).length === 0;

  const { needed, isTruncated } = await neededAmong(later, giveSameFigures);
  const edits: StatementEdit[] = [];
  let figures = before;
  for (const [index, event] of needed.entries()) {
    const next = await figuresWith(needed.slice(0, index + 1));
    const changes = changesBetween(figures, next, componentIds);
    // An event without changes is only needed by a later one, such as an incident that was moved to the month.
    if (changes.length > 0) edits.push({ event, changes });
    figures = next;
  }
  return { edits: edits.slice(0, MOST_EDITS), isTruncated: isTruncated || edits.length > MOST_EDITS };
};

/** Maximum number of events that are searched for; some of them only prepare the edits. */
const MOST_NEEDED = 2 * MOST_EDITS;

/**
 * Finds a part of a list that is sufficient, and of which no event can be left out. Tries to leave out long parts of the
 * list before shorter ones, the oldest first.
 *
 * @returns `isTruncated`: true if later events are missing, because too many are needed
 */
const neededAmong = async (
  all: readonly RecordedEvent[],
  areSufficient: (some: readonly RecordedEvent[]) => Promise<boolean>,
): Promise<{ needed: RecordedEvent[]; isTruncated: boolean }> => {
  const needed: RecordedEvent[] = [];
  let isTruncated = false;
  const search = async (from: number, to: number): Promise<void> => {
    if (isTruncated || (await areSufficient([...needed, ...all.slice(to)]))) return;
    const event = all[from];
    if (to - from === 1 && event) {
      if (needed.length === MOST_NEEDED) isTruncated = true;
      else needed.push(event);
      return;
    }
    const middle = Math.floor((from + to) / 2);
    await search(from, middle);
    await search(middle, to);
  };
  await search(0, all.length);
  return { needed, isTruncated };
};
