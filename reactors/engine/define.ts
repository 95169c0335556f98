import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Read } from '../../projections/readers.ts';
import type { ReactorContext } from '../context.ts';
import type { Ending } from './ending.ts';
import type { TodoProjection } from './lists.ts';
import type { Reactor } from './loop.ts';
import type { ItemContext, LookAtWaiting, Work } from './work.ts';

/** Collections of a projection that hold items of a list. */
export interface Followed {
  projection: AnyProjection;
  collections: readonly string[];
}

/** The function that does an item. */
export type Act<Item, Given extends ItemContext> = (item: Item, context: ReactorContext & Given) => Promise<Ending>;

/** A list, and the way to work on it (`on-lists.ts`). `Reader` is how it is read. */
export interface ReactorList<Item, Given extends ItemContext, Reader> extends Followed {
  /** What waits on it, read by any process. */
  waiting: (read: Read) => LookAtWaiting;
  reader: (context: ReactorContext) => Reader;
  work: (
    reactor: string,
    on: { todo: TodoProjection; reader: Reader },
    act: (item: Item, given: Given) => Promise<Ending>,
  ) => Work;
}

interface Named {
  /** `check-status`: as operators see it; its checkpoint and its failed items are kept under it, so it never changes */
  name: string;
  /** whether items from before the reactor was first active have to be done */
  countsEarlier: boolean;
  /** what it is, for operators: a sentence without a full stop, which docs/develop/reactors.md shows */
  does: string;
}

/** A reactor as it is declared: what happens by itself, because of time or of other events. */
export interface ReactorDefinition extends Named {
  /** the collections that it follows, first those of its own list; when they are written it looks at them */
  follows: readonly [Followed, ...Followed[]];
  /** What waits to be done, according to the stores; works in any process. */
  waiting: (read: Read) => LookAtWaiting;
  /** The reactor, to be run. Called once in a process. */
  begin: (context: ReactorContext) => Reactor;
}

interface Listed<Item, Given extends ItemContext, Reader> extends Named {
  list: ReactorList<Item, Given, Reader>;
}

/**
 * Declares a reactor; `reactors/index.ts` has a line for each.
 *
 * @param definition with `act`, which does an item; or with `acting`, which makes such a function when the reactor
 *   begins in a process, where it has to remember something from item to item
 */
export const defineReactor = <Item, Given extends ItemContext, Reader>(
  definition: Listed<Item, Given, Reader> &
    ({ act: Act<Item, Given> } | { acting: (context: ReactorContext) => Act<Item, Given> }),
): ReactorDefinition & {
  /** Its work on another list. */
  on: (context: ReactorContext, list: { todo: TodoProjection; reader: Reader }) => Work;
} => {
  const { name, countsEarlier, does, list } = definition;
  const { projection, collections } = list;
  const on = (context: ReactorContext, { todo, reader }: { todo: TodoProjection; reader: Reader }): Work => {
    const act = 'act' in definition ? definition.act : definition.acting(context);
    return list.work(name, { todo, reader }, (item, given) => act(item, { ...context, ...given }));
  };
  return {
    name,
    countsEarlier,
    does,
    follows: [{ projection, collections }],
    waiting: list.waiting,
    on,
    begin: (context) => {
      const todo = context.todo(projection, ...collections);
      return { name, countsEarlier, todo, work: on(context, { todo, reader: list.reader(context) }) };
    },
  };
};
