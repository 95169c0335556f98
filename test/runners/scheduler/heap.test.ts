import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHeap, type Due } from '../../../runners/scheduler/heap.ts';

const heaps = suite('the heap of due entries');

/** Returns a generator of reproducible numbers. */
const numbers = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return seed / 2 ** 32;
};

heaps('the heap has the earliest entry on top, no matter what is added, moved and removed', () => {
  const random = numbers(7);
  const heap = createHeap<Due>();
  const inside = new Set<Due>();
  for (let step = 0; step < 20_000; step++) {
    const choice = random();
    const [some] = inside;
    if (choice < 0.5 || !some) {
      const entry = { due: 0, index: -1 };
      heap.set(entry, Math.floor(random() * 1_000));
      inside.add(entry);
    } else if (choice < 0.75) {
      inside.delete(some);
      inside.add(some);
      heap.set(some, Math.floor(random() * 1_000));
    } else {
      heap.remove(some);
      inside.delete(some);
      assert.is(some.index, -1);
    }
    assert.is(heap.size(), inside.size);
    if (step % 100 === 0) assert.is(heap.top()?.due, Math.min(...[...inside].map(({ due }) => due)));
  }
  let last = -Infinity;
  for (let top = heap.top(); top; top = heap.top()) {
    assert.ok(top.due >= last);
    last = top.due;
    heap.remove(top);
  }
});

heaps('removing an entry that is not in the heap does not change the heap', () => {
  const heap = createHeap<Due>();
  const entry = { due: 0, index: -1 };
  heap.set(entry, 5);
  heap.remove({ due: 0, index: -1 });
  assert.is(heap.top(), entry);
  heap.remove(entry);
  heap.remove(entry);
  assert.is(heap.size(), 0);
  assert.is(heap.top(), undefined);
});

heaps.run();
