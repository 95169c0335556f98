import { lanePositionOf, type Lane, type LaneStep, type LanePosition } from './lane.ts';

/** A step with its lane. */
export interface MergedStep {
  lane: Lane;
  step: LaneStep;
}

/** The next step of a lane that has steps left. */
interface Cursor extends MergedStep {
  moment: LanePosition;
  /** index of the step in its lane */
  index: number;
}

const cursorAt = (lane: Lane, index: number): Cursor | null => {
  const step = lane.steps[index];
  return step ? { lane, step, index, moment: lanePositionOf(step) } : null;
};

/**
 * Merges the steps of all lanes in the order of their times. The steps are yielded lazily, from a binary heap of lanes,
 * because sorting thousands of steps in one go would block the event loop.
 */
export function* merged(lanes: readonly Lane[]): Generator<MergedStep> {
  const heap = lanes.flatMap((lane) => cursorAt(lane, 0) ?? []);
  for (let index = (heap.length >> 1) - 1; index >= 0; index--) sink(heap, index);
  for (let first = heap[0]; first; first = heap[0]) {
    yield first;
    const next = cursorAt(first.lane, first.index + 1) ?? heap.pop();
    // The yielded step was the final step of its lane, and the heap contained no other lane.
    if (!next || heap.length === 0) continue;
    heap[0] = next;
    sink(heap, 0);
  }
}

/** Moves a cursor down the heap until both its children are later. */
const sink = (heap: Cursor[], from: number): void => {
  const sinking = heap[from];
  if (!sinking) return;
  let index = from;
  for (;;) {
    let child = 2 * index + 1;
    let earliest = heap[child];
    const other = heap[child + 1];
    if (earliest && other && other.moment < earliest.moment) {
      earliest = other;
      child += 1;
    }
    if (!earliest || earliest.moment >= sinking.moment) break;
    heap[index] = earliest;
    index = child;
  }
  heap[index] = sinking;
};
