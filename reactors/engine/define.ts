import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Read } from '../../projections/readers.ts';
import type { ReactorContext } from '../context.ts';
import type { ItemResult } from './item-result.ts';
import type { TodoProjection } from './lists.ts';
import type { Reactor } from './loop.ts';
import type { ItemContext, CountWaiting, Work } from './work.ts';

/** Collections of a projection that contain items of a list. */
export interface FollowedCollections {
  projection: AnyProjection;
  collections: readonly string[];
}

/** A function that handles an item of a list. */
export type Act<Item, Given extends ItemContext> = (item: Item, context: ReactorContext & Given) => Promise<ItemResult>;

/**
 * A list, and the way to handle its items (`list-declarations.ts`). `Reader` is the type of the object that reads the
 * list.
 */
export interface ReactorList<Item, Given extends ItemContext, Reader> extends FollowedCollections {
  /** Returns a function that counts the waiting items. Any process can call it. */
  waiting: (read: Read) => CountWaiting;
  reader: (context: ReactorContext) => Reader;
  work: (
    reactor: string,
    on: { todo: TodoProjection; reader: Reader },
    act: (item: Item, given: Given) => Promise<ItemResult>,
  ) => Work;
}

interface Named {
  /**
   * for example `check-status`. Operators see it. It must never change, because the checkpoint and the failed items are
   * stored under this name
   */
  name: string;
  /** whether items from before the reactor was first active must be done */
  countsEarlier: boolean;
  /**
   * what the reactor does: a sentence without subject and full stop for operators, shown in docs/develop/reactors.md
   */
  does: string;
}

/** The declaration of a reactor. A reactor acts automatically when time passes or events occur. */
export interface ReactorDefinition extends Named {
  /** collections whose writes wake the reactor; the first entry contains the collections of its own list */
  follows: readonly [FollowedCollections, ...FollowedCollections[]];
  /** Returns a function that reads the stores and counts the waiting items. Any process can call it. */
  waiting: (read: Read) => CountWaiting;
  /** Creates the reactor. Called one time per process. */
  begin: (context: ReactorContext) => Reactor;
}

interface Listed<Item, Given extends ItemContext, Reader> extends Named {
  list: ReactorList<Item, Given, Reader>;
}

/**
 * Declares a reactor. Each reactor also needs a line in `reactors/index.ts`.
 *
 * @param definition contains either `act`, a function that handles an item, or `acting`, which returns such a function
 * when the reactor starts in a process. Use `acting` if items share state
 */
export const defineReactor = <Item, Given extends ItemContext, Reader>(
  definition: Listed<Item, Given, Reader> &
    ({ act: Act<Item, Given> } | { acting: (context: ReactorContext) => Act<Item, Given> }),
): ReactorDefinition & {
  /** Creates the work of this reactor for another list. */
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
