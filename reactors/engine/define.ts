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

/** The function that does an item. */
export type Act<Item, Given extends ItemContext> = (item: Item, context: ReactorContext & Given) => Promise<ItemResult>;

/** A list and the way to work it off (`list-declarations.ts`). `Reader` is the type that reads it. */
export interface ReactorList<Item, Given extends ItemContext, Reader> extends FollowedCollections {
  /** The items waiting on it; any process can call this. */
  waiting: (read: Read) => CountWaiting;
  reader: (context: ReactorContext) => Reader;
  work: (
    reactor: string,
    on: { todo: TodoProjection; reader: Reader },
    act: (item: Item, given: Given) => Promise<ItemResult>,
  ) => Work;
}

interface Named {
  /** `check-status`: shown to operators; its checkpoint and failed items are stored under it, so it never changes */
  name: string;
  /** whether items from before the reactor was first active must be done */
  countsEarlier: boolean;
  /** what it does, for operators: a sentence without a full stop, shown in docs/develop/reactors.md */
  does: string;
}

/** A reactor's declaration. A reactor acts on its own when time passes or events occur. */
export interface ReactorDefinition extends Named {
  /** the collections that it follows, beginning with those of its own list; a write to them wakes the reactor */
  follows: readonly [FollowedCollections, ...FollowedCollections[]];
  /** The items waiting to be done, from the stores; any process can call this. */
  waiting: (read: Read) => CountWaiting;
  /** Creates the reactor. Called once per process. */
  begin: (context: ReactorContext) => Reactor;
}

interface Listed<Item, Given extends ItemContext, Reader> extends Named {
  list: ReactorList<Item, Given, Reader>;
}

/**
 * Declares a reactor. Add a line to `reactors/index.ts` for each.
 *
 * @param definition with `act`, which does an item; or with `acting`, which creates `act` when the reactor starts in a
 * process, for state shared by items
 */
export const defineReactor = <Item, Given extends ItemContext, Reader>(
  definition: Listed<Item, Given, Reader> &
    ({ act: Act<Item, Given> } | { acting: (context: ReactorContext) => Act<Item, Given> }),
): ReactorDefinition & {
  /** The same work on another list. */
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
